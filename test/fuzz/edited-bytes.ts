/**
 * Generates almost valid files by removing, duplicating and overwriting pieces of seed files. Also replaces decimal
 * numbers, which are frequent in PDFs.
 */
import fc from 'fast-check';

interface Edit {
  kind: 'flip' | 'fill' | 'cut' | 'drop' | 'double' | 'overwrite' | 'number';
  /** `at` and `to` are positions as fractions of the file size, from 0 to 1. */
  at: number;
  to: number;
  length: number;
  value: number;
}

const part = fc.double({ min: 0, max: 1, noNaN: true });
const NUMBERS = [
  '0',
  '-1',
  '1',
  '2',
  '3',
  '65536',
  '4294967295',
  '99999999999999999999',
  '0.00001',
];

const EDITS = fc.array(
  fc.record<Edit>({
    kind: fc.constantFrom(
      'flip',
      'fill',
      'cut',
      'drop',
      'double',
      'overwrite',
      'number',
      'number',
      'flip',
    ),
    at: part,
    to: part,
    length: fc.integer({ min: 0, max: 12 }).map((power) => 2 ** power),
    value: fc.integer({ min: 0, max: 255 }),
  }),
  { minLength: 1, maxLength: 6, size: 'max' },
);

/** Generates edited versions of the seed files. */
export const editedBytes = (seeds: readonly Buffer[]): fc.Arbitrary<Buffer> =>
  fc.tuple(fc.constantFrom(...seeds), EDITS).map(([seed, edits]) => edits.reduce(applied, seed));

function applied(bytes: Buffer, { kind, at, to, length, value }: Edit): Buffer {
  const start = Math.floor(at * bytes.length);
  const target = Math.floor(to * bytes.length);
  const piece = bytes.subarray(start, start + length);
  const changed = Buffer.from(bytes);
  switch (kind) {
    case 'flip':
      if (start < changed.length) changed[start] = value;
      return changed;
    case 'fill':
      return changed.fill(value & 1 ? 0xff : 0, start, Math.min(start + length, bytes.length));
    case 'cut':
      return bytes.subarray(0, start);
    case 'drop':
      return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + length)]);
    case 'double':
      return Buffer.concat([bytes.subarray(0, target), piece, bytes.subarray(target)]);
    case 'overwrite':
      piece.copy(changed, target);
      return changed;
    case 'number':
      return withOtherNumber(bytes, start, value);
  }
}

/**
 * Replaces the next number after `start` with the number of an object that the file refers to, or with a value from
 * `NUMBERS`. Returns the file unchanged if no number follows within 4096 bytes.
 */
function withOtherNumber(bytes: Buffer, start: number, value: number): Buffer {
  const text = bytes.toString('latin1');
  const found = /\d+/.exec(text.slice(start, start + 4096));
  if (!found) return bytes;
  const own = text.slice(0, 65_536).match(/\d+(?= 0 R)/g) ?? [];
  const others = value & 1 ? NUMBERS : [...own, ...NUMBERS];
  const index = start + found.index;
  const number = others[value % others.length]!;
  return Buffer.from(text.slice(0, index) + number + text.slice(index + found[0].length), 'latin1');
}
