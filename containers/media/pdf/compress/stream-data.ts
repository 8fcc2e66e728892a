/** The data of streams behind lossless filters (ISO 32000-1, section 7.4). */
import { type Inflate, withoutPredictor } from '../filters.ts';
import {
  arrayAt,
  dictionaryAt,
  name,
  type ObjectSource,
  type PdfDictionary,
  PdfName,
  type PdfStream,
  type PdfValue,
} from '../objects.ts';
import { ascii85, asciiHex, lzw, runLength } from './old-filters.ts';

export interface FilterStep {
  name: string;
  parameters: PdfDictionary | undefined;
}

/** Valid in inline images only (section 8.9.7), but readers accept them everywhere. */
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

/** The filters of a stream in the order of decoding; undefined if they are malformed. */
export function filtersOf(source: ObjectSource, entries: PdfDictionary): FilterStep[] | undefined {
  const given = source.resolve(entries.get('Filter'));
  if (given === null) return [];
  const names = Array.isArray(given) ? given : [given];
  const parameters = entries.get('DecodeParms');
  const list = arrayAt(source, parameters) ?? [parameters ?? null];
  const steps: FilterStep[] = [];
  for (const [index, item] of names.entries()) {
    const filter = source.resolve(item);
    if (!(filter instanceof PdfName)) return undefined;
    const full = ABBREVIATIONS[filter.value] ?? filter.value;
    steps.push({ name: full, parameters: dictionaryAt(source, list[index]) });
  }
  return steps;
}

const predictorOf = (source: ObjectSource, { parameters }: FilterStep): number => {
  const value = source.resolve(parameters?.get('Predictor'));
  return typeof value === 'number' ? value : 1;
};

export interface Opened {
  /** Behind the lossless filters, but with the rows of `predicted` if there is one. */
  data: Uint8Array;
  /** The last lossless filter's parameters if its rows have a predictor. */
  predicted: PdfDictionary | undefined;
  /** What remains: image filters. */
  rest: FilterStep[];
}

/** Undoes the lossless filters; undefined if the data is damaged or larger than `limit`. */
export function opened(
  source: ObjectSource,
  { dictionary, encoded }: PdfStream,
  inflate: Inflate,
  limit: number,
): Opened | undefined {
  const steps = filtersOf(source, dictionary);
  if (!steps || dictionary.has('F')) return undefined;
  let data = encoded;
  for (const [index, step] of steps.entries()) {
    if (!LOSSLESS.has(step.name)) {
      return { data, predicted: undefined, rest: steps.slice(index) };
    }
    const decoded = decode(source, data, step, inflate, limit);
    if (!decoded) return undefined;
    data = decoded;
    if (predictorOf(source, step) > 1) {
      const isLast = index === steps.length - 1;
      return isLast ? { data, predicted: step.parameters, rest: [] } : undefined;
    }
  }
  return { data, predicted: undefined, rest: [] };
}

/** The fully decoded data of a stream; undefined if it is damaged, too large, or behind an image filter. */
export function decodedData(
  source: ObjectSource,
  stream: PdfStream,
  inflate: Inflate,
  limit: number,
): Uint8Array | undefined {
  const found = opened(source, stream, inflate, limit);
  if (!found || found.rest.length > 0) return undefined;
  if (!found.predicted) return found.data;
  const value = (key: string, usual: number) => {
    const given = source.resolve(found.predicted?.get(key));
    return typeof given === 'number' && given > 0 ? given : usual;
  };
  if (value('Predictor', 1) < 10) return undefined;
  const bits = value('Colors', 1) * value('BitsPerComponent', 8);
  const width = Math.ceil((bits * value('Columns', 1)) / 8);
  if (width > found.data.length) return undefined;
  return withoutPredictor(found.data, width, Math.max(1, bits >> 3));
}

function decode(
  source: ObjectSource,
  data: Uint8Array,
  { name: filter, parameters }: FilterStep,
  inflate: Inflate,
  limit: number,
): Uint8Array | undefined {
  try {
    if (filter === 'FlateDecode') return inflate(data, limit);
    if (filter === 'ASCII85Decode') return ascii85(data);
    if (filter === 'ASCIIHexDecode') return asciiHex(data);
    if (filter === 'RunLengthDecode') return runLength(data, limit);
    return lzw(data, source.resolve(parameters?.get('EarlyChange')) !== 0, limit);
  } catch {
    return undefined;
  }
}

/** Sets the filters of a stream's dictionary. */
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
