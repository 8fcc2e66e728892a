/** Reduces a TrueType or OpenType font to a set of glyphs with HarfBuzz. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** HarfBuzz constants from `hb-subset.h`, and `WRITABLE` from `hb-blob.h`. */
const DROPPED_TABLES = 3;
const RETAIN_GLYPH_IDS = 0x02;
const KEEP_NOTDEF = 0x40;
const KEEP_GLYPH_NAMES = 0x80;
const NO_LAYOUT_CLOSURE = 0x200;
const WRITABLE = 2;
/** The tables that embedded fonts do not need, and the tables that we write ourselves. */
const DROPPED = 'cmap GSUB GPOS GDEF OS/2 name kern DSIG vhea vmtx VORG'.split(' ');

/** Declares the part of the WebAssembly object that we use, because Node's types lack it. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: Record<string, unknown> };
  RuntimeError: new () => Error;
};

type Call = (...numbers: number[]) => number;

interface HarfBuzz {
  memory: { buffer: ArrayBuffer };
  call(name: string, ...numbers: number[]): number;
}

let loaded: HarfBuzz | undefined;

function harfBuzz(): HarfBuzz {
  if (loaded) return loaded;
  const path = fileURLToPath(import.meta.resolve('harfbuzzjs/dist/harfbuzz-subset.wasm'));
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path)), {});
  (exports._initialize as Call)();
  const memory = exports.memory as HarfBuzz['memory'];
  loaded = { memory, call: (name, ...numbers) => (exports[name] as Call)(...numbers) };
  return loaded;
}

export interface SubsetOptions {
  glyphs: Iterable<number>;
  /** Whether glyphs keep their numbers. */
  retainIds: boolean;
  /** Whether glyphs keep their names, which are in `post` or in the CFF charset. */
  keepNames: boolean;
}

/** Returns undefined if HarfBuzz cannot read the font. */
export function subsetFont(font: Uint8Array, options: SubsetOptions): Uint8Array | undefined {
  try {
    return subset(harfBuzz(), font, options);
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    // After this error, the module's memory may be corrupted, so the module must be loaded again.
    loaded = undefined;
    return undefined;
  }
}

function subset(
  { memory, call }: HarfBuzz,
  font: Uint8Array,
  { glyphs, retainIds, keepNames }: SubsetOptions,
): Uint8Array | undefined {
  const address = call('malloc', font.length);
  if (address === 0) return undefined;
  new Uint8Array(memory.buffer, address, font.length).set(font);
  const blob = call('hb_blob_create', address, font.length, WRITABLE, 0, 0);
  const face = call('hb_face_create', blob, 0);
  call('hb_blob_destroy', blob);
  const input = call('hb_subset_input_create_or_fail');
  const glyphSet = call('hb_subset_input_glyph_set', input);
  for (const glyph of glyphs) call('hb_set_add', glyphSet, glyph);
  const dropped = call('hb_subset_input_set', input, DROPPED_TABLES);
  for (const tag of DROPPED) call('hb_set_add', dropped, tagNumber(tag));
  call(
    'hb_subset_input_set_flags',
    input,
    KEEP_NOTDEF |
      NO_LAYOUT_CLOSURE |
      (retainIds ? RETAIN_GLYPH_IDS : 0) |
      (keepNames ? KEEP_GLYPH_NAMES : 0),
  );
  const result = call('hb_subset_or_fail', face, input);
  call('hb_subset_input_destroy', input);
  call('hb_face_destroy', face);
  const bytes = result === 0 ? undefined : faceBytes({ memory, call }, result);
  call('free', address);
  return bytes;
}

function faceBytes({ memory, call }: HarfBuzz, face: number): Uint8Array | undefined {
  const blob = call('hb_face_reference_blob', face);
  call('hb_face_destroy', face);
  const length = call('hb_blob_get_length', blob);
  const address = call('hb_blob_get_data', blob, 0);
  const bytes = length === 0 ? undefined : new Uint8Array(memory.buffer, address, length).slice();
  call('hb_blob_destroy', blob);
  return bytes;
}

const tagNumber = (tag: string): number =>
  Array.from(tag.padEnd(4)).reduce((sum, character) => sum * 256 + character.charCodeAt(0), 0);
