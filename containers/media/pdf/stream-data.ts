/** Decodes the data of streams that have lossless filters, and writes such streams (ISO 32000-1, section 7.4). */

import { withoutPredictor } from '../png/predictor.ts';
import {
  name,
  type ObjectSource,
  PdfDamage,
  type PdfDictionary,
  PdfName,
  PdfStream,
  type PdfValue,
  StreamTooLarge,
  unlessDamaged,
} from './objects.ts';
import { ascii85, asciiHex, lzw, runLength } from './old-filters.ts';
import { deflate, inflate } from './zlib.ts';

export interface FilterStep {
  name: string;
  parameters: PdfDictionary | undefined;
}

/**
 * Abbreviated filter names. They are valid in inline images only (section 8.9.7), but readers accept them everywhere.
 */
const ABBREVIATIONS: Readonly<Record<string, string>> = {
  A85: 'ASCII85Decode',
  AHx: 'ASCIIHexDecode',
  CCF: 'CCITTFaxDecode',
  DCT: 'DCTDecode',
  Fl: 'FlateDecode',
  LZW: 'LZWDecode',
  RL: 'RunLengthDecode',
};
export const LOSSLESS: ReadonlySet<string> = new Set([
  'FlateDecode',
  'LZWDecode',
  'ASCII85Decode',
  'ASCIIHexDecode',
  'RunLengthDecode',
]);

/** Returns a stream's filters in decoding order, or undefined if the entry is invalid. */
export function filtersOf(source: ObjectSource, entries: PdfDictionary): FilterStep[] | undefined {
  const given = source.resolve(entries.get('Filter'));
  if (given === null) return [];
  const names = Array.isArray(given) ? given : [given];
  const parameters = entries.get('DecodeParms');
  const list = source.array(parameters) ?? [parameters ?? null];
  const steps: FilterStep[] = [];
  for (const [index, item] of names.entries()) {
    const filter = source.resolve(item);
    if (filter === null) continue;
    if (!(filter instanceof PdfName)) return undefined;
    const full = ABBREVIATIONS[filter.value] ?? filter.value;
    steps.push({ name: full, parameters: source.dictionary(list[index]) });
  }
  return steps;
}

/** Returns a decoding parameter if it is a positive integer. Otherwise, returns its default. */
function parameter(
  source: ObjectSource,
  parameters: PdfDictionary | undefined,
  key: 'Predictor' | 'Columns' | 'Colors' | 'BitsPerComponent',
): number {
  const value = source.resolve(parameters?.get(key));
  const usual = key === 'BitsPerComponent' ? 8 : 1;
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : usual;
}

export interface Opened {
  /**
   * The data after decoding the lossless filters. If `predicted` is set, the predictor of its rows has not been
   * reversed.
   */
  data: Uint8Array;
  /** The parameters of the last lossless filter, if its rows have a predictor. */
  predicted: PdfDictionary | undefined;
  /** The remaining filters, which are image filters. */
  rest: FilterStep[];
}

/** Decodes the lossless filters. Throws StreamTooLarge, or PdfDamage if the data is damaged. */
export function opened(
  source: ObjectSource,
  { dictionary, encoded }: PdfStream,
  limit: number,
): Opened {
  const steps = filtersOf(source, dictionary);
  if (!steps || dictionary.has('F')) throw new PdfDamage('the stream filters are damaged');
  let data = encoded;
  for (const [index, step] of steps.entries()) {
    if (!LOSSLESS.has(step.name)) {
      return { data, predicted: undefined, rest: steps.slice(index) };
    }
    data = decode(source, data, step, limit);
    if (parameter(source, step.parameters, 'Predictor') > 1) {
      if (index < steps.length - 1) throw new PdfDamage('a predictor is not the last filter');
      return { data, predicted: step.parameters, rest: [] };
    }
  }
  return { data, predicted: undefined, rest: [] };
}

/**
 * Returns the decoded data of a stream. Throws StreamTooLarge, or PdfDamage if the data is damaged or has an image
 * filter or a TIFF predictor.
 */
export function decodedStream(source: ObjectSource, stream: PdfStream, limit: number): Uint8Array {
  const { data, predicted, rest } = opened(source, stream, limit);
  if (rest.length > 0) throw new PdfDamage('a stream has an image filter');
  if (data.length > limit) throw new StreamTooLarge();
  if (!predicted) return data;
  if (parameter(source, predicted, 'Predictor') < 10) {
    throw new PdfDamage('a stream has a TIFF predictor');
  }
  const bits =
    parameter(source, predicted, 'Colors') * parameter(source, predicted, 'BitsPerComponent');
  const width = Math.ceil((bits * parameter(source, predicted, 'Columns')) / 8);
  if (width > data.length) throw new PdfDamage('a predictor is wider than its data');
  return withoutPredictor(data, width, Math.max(1, bits >> 3));
}

/** Like `decodedStream`, but returns undefined instead of throwing PdfDamage. */
export const decodedData = (source: ObjectSource, stream: PdfStream, limit: number) =>
  unlessDamaged(() => decodedStream(source, stream, limit));

function decode(
  source: ObjectSource,
  data: Uint8Array,
  { name: filter, parameters }: FilterStep,
  limit: number,
): Uint8Array {
  if (filter === 'FlateDecode') return inflate(data, Math.max(1, limit));
  if (filter === 'ASCII85Decode') return ascii85(data);
  if (filter === 'ASCIIHexDecode') return asciiHex(data);
  if (filter === 'RunLengthDecode') return runLength(data, limit);
  return lzw(data, source.resolve(parameters?.get('EarlyChange')) !== 0, limit);
}

/** Returns a stream with this data, compressed with FlateDecode. Its dictionary also contains `entries`. */
export function flateStream(data: Uint8Array, entries: PdfDictionary = new Map()): PdfStream {
  const encoded = new Map(entries);
  setFilters(encoded, [{ name: 'FlateDecode', parameters: undefined }]);
  return new PdfStream(encoded, deflate(data));
}

/** Replaces `Filter` and `DecodeParms` in the dictionary of a stream. Without steps, both are removed. */
export function setFilters(entries: PdfDictionary, steps: readonly FilterStep[]): void {
  entries.delete('Filter');
  entries.delete('DecodeParms');
  const [first, second] = steps;
  if (!first) return;
  if (!second) {
    entries.set('Filter', name(first.name));
    if (first.parameters) entries.set('DecodeParms', first.parameters);
    return;
  }
  entries.set(
    'Filter',
    steps.map((step) => name(step.name)),
  );
  if (steps.some((step) => step.parameters)) {
    entries.set(
      'DecodeParms',
      steps.map((step): PdfValue => step.parameters ?? null),
    );
  }
}
