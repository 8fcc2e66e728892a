/** Reduces the ToUnicode CMaps of fonts to the codes that a document shows (ISO 32000-1, section 9.10.3). */
import { readContent } from '../content.ts';
import {
  isNamed,
  PdfReference,
  PdfStream,
  PdfString,
  type PdfValue,
  unlessDamaged,
} from '../objects.ts';
import { decodedData, flateStream } from '../stream-data.ts';
import type { Draft } from './draft.ts';
import { fontsOfFields } from './font-files.ts';
import type { ShownCodes } from './shown-text.ts';
import { type UnicodeMap, writeUnicodeMap } from './write-unicode-map.ts';

const MAX_MAP_BYTES = 1024 * 1024;
/** The maximum size of the decoded maps of a document, in bytes. The other maps stay unchanged. */
const MAX_BYTES = 32 * MAX_MAP_BYTES;
const MAX_CODE_BYTES = 2;
/** The maximum length in bytes of the text of a range (Adobe Technical Note 5411), which is copied for each code. */
const MAX_TEXT_BYTES = 512;
/** The maximum number of entries to read. Ranges may overlap, so a small file could list far more than can exist. */
const MAX_ENTRIES = 4 * 0xffff;

/** Reduces the maps. Those of form fields stay unchanged, because they describe text that a user enters. */
export function reduceUnicodeMaps(draft: Draft, shown: ShownCodes): void {
  const codes = new Map<number, Set<number>>();
  const references = new Map<number, PdfReference>();
  for (const [font, own] of shown) {
    const reference = font.get('ToUnicode');
    if (!(reference instanceof PdfReference)) continue;
    references.set(reference.number, reference);
    const known = codes.get(reference.number) ?? new Set();
    for (const code of own) known.add(code);
    codes.set(reference.number, known);
  }
  const uncertain = [...shown.keys()].filter((font) => !hasKnownCodes(draft, font));
  for (const font of [...uncertain, ...fontsOfFields(draft)]) {
    const reference = font.get('ToUnicode');
    if (reference instanceof PdfReference) references.delete(reference.number);
  }
  let left = MAX_BYTES;
  for (const [number, reference] of references) {
    const stream = draft.resolve(reference);
    if (!(stream instanceof PdfStream) || stream.dictionary.has('UseCMap')) continue;
    const data = decodedData(draft, stream, Math.min(MAX_MAP_BYTES, left));
    left -= data?.length ?? 0;
    const map = data && unlessDamaged(() => readUnicodeMap(data, codes.get(number) as Set<number>));
    const smaller = map && flateStream(writeUnicodeMap(map), stream.dictionary);
    if (smaller && smaller.encoded.length < stream.encoded.length) draft.set(reference, smaller);
  }
}

/** Whether the shown codes are certain. The codes of predefined CMaps may have different lengths. */
function hasKnownCodes(draft: Draft, font: ReadonlyMap<string, PdfValue>): boolean {
  if (!draft.isNamed(font.get('Subtype'), 'Type0')) return true;
  const encoding = draft.resolve(font.get('Encoding'));
  return (
    encoding instanceof PdfStream ||
    isNamed(encoding, 'Identity-H') ||
    isNamed(encoding, 'Identity-V')
  );
}

/**
 * Returns the entries of these codes. Returns undefined if the CMap refers to another one, has unusual entries, or
 * lists none or too many. Throws PdfDamage.
 */
export function readUnicodeMap(
  data: Uint8Array,
  codes: ReadonlySet<number>,
): UnicodeMap | undefined {
  const map: UnicodeMap = { codeSpace: [], texts: new Map() };
  let entries = 0;
  const add = (bytes: number, code: number, text: Uint8Array) => {
    if (!codes.has(code)) return;
    const texts = map.texts.get(bytes) ?? new Map<number, Uint8Array>();
    map.texts.set(bytes, texts.set(code, text));
  };
  for (const [operator, operands] of readContent(data, MAX_ENTRIES)) {
    if (/^(?:usecmap|begin(?:cid|notdef)(?:char|range))$/.test(operator)) return undefined;
    if (operator === 'endcodespacerange') {
      for (const item of operands) if (item instanceof PdfString) map.codeSpace.push(item.bytes);
    } else if (operator === 'endbfchar') {
      for (let at = 0; at < operands.length; at += 2) {
        const [code, text] = [codeOf(operands[at]), operands[at + 1]];
        if (!code || !(text instanceof PdfString)) return undefined;
        add(...code, text.bytes);
      }
      entries += operands.length;
    } else if (operator === 'endbfrange') {
      for (let at = 0; at < operands.length; at += 3) {
        const [first, last] = [codeOf(operands[at]), codeOf(operands[at + 1])];
        const texts = textsOf(operands[at + 2]);
        if (!first || !last || !texts || first[0] !== last[0]) return undefined;
        entries += Math.max(0, last[1] - first[1]) + 1;
        if (entries > MAX_ENTRIES) return undefined;
        for (const code of within(codes, first[1], last[1])) {
          const text = texts(code - first[1]);
          if (text) add(first[0], code, text);
        }
      }
    }
  }
  const known = map.codeSpace.length > 0 && map.codeSpace.every(({ length }) => length > 0);
  return known && entries > 0 ? map : undefined;
}

/** Yields those of `codes` from `first` to `last`. Thousands of fonts with few codes may have a range of all codes. */
function* within(codes: ReadonlySet<number>, first: number, last: number): Generator<number> {
  if (codes.size > last - first) {
    for (let code = first; code <= last; code += 1) if (codes.has(code)) yield code;
  } else for (const code of codes) if (code >= first && code <= last) yield code;
}

/** Returns the length in bytes and the number of a code. */
function codeOf(value: PdfValue | undefined): [bytes: number, code: number] | undefined {
  if (!(value instanceof PdfString)) return undefined;
  const { length } = value.bytes;
  if (length === 0 || length > MAX_CODE_BYTES) return undefined;
  return [length, value.bytes.reduce((code, byte) => code * 256 + byte, 0)];
}

/** Returns a function that returns the text of a code in a range, or undefined if the code has no text. */
function textsOf(
  value: PdfValue | undefined,
): ((index: number) => Uint8Array | undefined) | undefined {
  if (Array.isArray(value)) {
    if (!value.every((item) => item instanceof PdfString)) return undefined;
    return (index) => (value[index] as PdfString | undefined)?.bytes;
  }
  if (!(value instanceof PdfString)) return undefined;
  const { bytes } = value;
  if (bytes.length < 2 || bytes.length > MAX_TEXT_BYTES) return undefined;
  const at = bytes.length - 2;
  const last = (bytes[at] as number) * 256 + (bytes[at + 1] as number);
  return (index) => {
    const text = bytes.slice();
    // Readers increment the last UTF-16 unit of the text.
    text.set([((last + index) >> 8) & 255, (last + index) & 255], at);
    return text;
  };
}
