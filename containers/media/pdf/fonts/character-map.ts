/**
 * Reads and writes the `cmap` table of TrueType fonts. Supports formats 0, 4, 6 and 12, and the one-byte codes of
 * format 2.
 */
import { packed, viewOf } from './bytes-view.ts';

export interface CharacterMap {
  platform: number;
  encoding: number;
  /** The glyph number for each code. */
  glyphs: Map<number, number>;
}

const MAX_MAPS = 32;
/** The maximum number of codes in the ranges of a map, which may overlap. */
const MAX_CODES = 200_000;
const DELTA_MODULUS = 0x10000;

/** Returns all maps of a table. Returns undefined if any map cannot be read, because a PDF reader may use that map. */
export function readCharacterMaps(table: Uint8Array): CharacterMap[] | undefined {
  try {
    const view = viewOf(table);
    const count = view.getUint16(2);
    if (count > MAX_MAPS) return undefined;
    const maps: CharacterMap[] = [];
    for (let index = 0; index < count; index += 1) {
      const entry = 4 + index * 8;
      const glyphs = readMap(view, view.getUint32(entry + 4));
      if (!glyphs) return undefined;
      maps.push({ platform: view.getUint16(entry), encoding: view.getUint16(entry + 2), glyphs });
    }
    return maps;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readMap(view: DataView, at: number): Map<number, number> | undefined {
  const glyphs = new Map<number, number>();
  const set = (code: number, glyph: number) => {
    if (glyph > 0) glyphs.set(code, glyph);
  };
  let listed = 0;
  const count = (codes: number) => {
    listed += Math.max(0, codes);
    if (listed > MAX_CODES) throw new RangeError('a map lists too many codes');
  };
  switch (view.getUint16(at)) {
    case 0:
      for (let code = 0; code < 256; code += 1) set(code, view.getUint8(at + 6 + code));
      return glyphs;
    case 2:
      readSingleBytes(view, at, set);
      return glyphs;
    case 4:
      readSegments(view, at, set, count);
      return glyphs;
    case 6: {
      const first = view.getUint16(at + 6);
      const codes = view.getUint16(at + 8);
      for (let index = 0; index < codes; index += 1) {
        set(first + index, view.getUint16(at + 10 + index * 2));
      }
      return glyphs;
    }
    case 12: {
      const groups = view.getUint32(at + 12);
      for (let group = 0; group < groups; group += 1) {
        const start = at + 16 + group * 12;
        const [first, last] = [view.getUint32(start), view.getUint32(start + 4)];
        count(last - first + 1);
        for (let code = first; code <= last; code += 1) {
          set(code, view.getUint32(start + 8) + code - first);
        }
      }
      return glyphs;
    }
    default:
      return undefined;
  }
}

/** Reads the one-byte codes. Fonts with two-byte codes are composite fonts in PDF, which do not use this table. */
function readSingleBytes(
  view: DataView,
  at: number,
  set: (code: number, glyph: number) => void,
): void {
  const header = at + 518;
  const first = view.getUint16(header);
  const count = view.getUint16(header + 2);
  const delta = view.getUint16(header + 4);
  const glyphsAt = header + 6 + view.getUint16(header + 6);
  for (let index = 0; index < count; index += 1) {
    const code = first + index;
    if (code > 255 || view.getUint16(at + 6 + code * 2) !== 0) continue;
    const glyph = view.getUint16(glyphsAt + index * 2);
    if (glyph > 0) set(code, (glyph + delta) % DELTA_MODULUS);
  }
}

function readSegments(
  view: DataView,
  at: number,
  set: (code: number, glyph: number) => void,
  count: (codes: number) => void,
): void {
  const doubled = view.getUint16(at + 6);
  for (let offset = 0; offset < doubled; offset += 2) {
    const last = view.getUint16(at + 14 + offset);
    const first = view.getUint16(at + 16 + doubled + offset);
    const delta = view.getUint16(at + 16 + doubled * 2 + offset);
    const rangeAt = at + 16 + doubled * 3 + offset;
    const range = view.getUint16(rangeAt);
    if (first === 0xffff) continue;
    count(last - first + 1);
    for (let code = first; code <= last; code += 1) {
      if (range === 0 || range === 0xffff) set(code, (code + delta) % DELTA_MODULUS);
      else {
        const glyphAt = rangeAt + range + (code - first) * 2;
        const glyph = glyphAt + 2 <= view.byteLength ? view.getUint16(glyphAt) : 0;
        if (glyph > 0) set(code, (glyph + delta) % DELTA_MODULUS);
      }
    }
  }
}

/** Returns a table with the same maps, reduced to these glyphs. */
export function writeCharacterMaps(
  maps: readonly CharacterMap[],
  wanted: ReadonlySet<number>,
): Uint8Array {
  const written = maps.map(({ platform, encoding, glyphs }) => {
    const entries = [...glyphs]
      .filter(([, glyph]) => wanted.has(glyph))
      .sort(([left], [right]) => left - right);
    const isWide = (entries.at(-1)?.[0] ?? 0) > 0xffff;
    const isByte = platform === 1;
    const data = isByte ? byteMap(entries) : isWide ? groupMap(entries) : segmentMap(entries);
    return { platform, encoding, data };
  });
  let offset = 4 + written.length * 8;
  const head = [packed([2, 0], [2, written.length])];
  for (const { platform, encoding, data } of written) {
    head.push(packed([2, platform], [2, encoding], [4, offset]));
    offset += data.length;
  }
  return Buffer.concat([...head, ...written.map(({ data }) => data)]);
}

type Entries = readonly (readonly [code: number, glyph: number])[];

/** Returns a subtable of format 6 for one-byte codes. Readers expect this format for Macintosh maps. */
function byteMap(entries: Entries): Uint8Array {
  const first = entries[0]?.[0] ?? 0;
  const count = entries.length > 0 ? (entries.at(-1)?.[0] ?? 0) - first + 1 : 0;
  const glyphs = new Map(entries);
  return Buffer.concat([
    packed([2, 6], [2, 10 + count * 2], [2, 0], [2, first], [2, count]),
    ...Array.from({ length: count }, (_, index) => packed([2, glyphs.get(first + index) ?? 0])),
  ]);
}

interface Run {
  first: number;
  last: number;
  glyph: number;
}

/** Groups consecutive codes whose glyph numbers are consecutive too. */
function runsOf(entries: Entries): Run[] {
  const runs: Run[] = [];
  for (const [code, glyph] of entries) {
    const run = runs.at(-1);
    if (run && run.last + 1 === code && run.glyph + code - run.first === glyph) run.last = code;
    else runs.push({ first: code, last: code, glyph });
  }
  return runs;
}

function segmentMap(entries: Entries): Uint8Array {
  const runs = runsOf(entries).filter(({ first }) => first < 0xffff);
  runs.push({ first: 0xffff, last: 0xffff, glyph: 0 });
  const count = runs.length;
  const power = 2 ** Math.floor(Math.log2(count));
  const length = 16 + count * 8;
  const words = (value: (run: Run) => number) => runs.map((run) => packed([2, value(run)]));
  return Buffer.concat([
    packed([2, 4], [2, length], [2, 0], [2, count * 2]),
    packed([2, power * 2], [2, Math.log2(power)], [2, (count - power) * 2]),
    ...words((run) => run.last),
    packed([2, 0]),
    ...words((run) => run.first),
    ...words((run) => run.glyph - run.first),
    ...words(() => 0),
  ]);
}

function groupMap(entries: Entries): Uint8Array {
  const runs = runsOf(entries);
  const length = 16 + runs.length * 12;
  return Buffer.concat([
    packed([2, 12], [2, 0], [4, length], [4, 0], [4, runs.length]),
    ...runs.map(({ first, last, glyph }) => packed([4, first], [4, last], [4, glyph])),
  ]);
}
