/** Decodes the streams of a file's structure: FlateDecode with predictors (ISO 32000-1, section 7.4.4). */
import {
  arrayAt,
  dictionaryAt,
  isNamed,
  type ObjectSource,
  PdfDamage,
  type PdfDictionary,
  type PdfStream,
} from './objects.ts';

/**
 * Inflates zlib data to at most `limit` bytes and throws beyond.
 * Node: `(bytes, limit) => inflateSync(bytes, { maxOutputLength: limit })`.
 */
export type Inflate = (bytes: Uint8Array, limit: number) => Uint8Array;

const integerAt = (source: ObjectSource, parameters: PdfDictionary, key: string, usual: number) => {
  const value = source.resolve(parameters.get(key));
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : usual;
};

/** The decoded bytes of a stream without filter or with only FlateDecode. Throws PdfDamage otherwise. */
export function decodedStream(
  source: ObjectSource,
  stream: PdfStream,
  inflate: Inflate,
  limit: number,
): Uint8Array {
  const { dictionary, encoded } = stream;
  const filters = arrayAt(source, dictionary.get('Filter')) ?? [dictionary.get('Filter') ?? null];
  const used = filters.map((filter) => source.resolve(filter)).filter((filter) => filter !== null);
  if (used.length === 0) return encoded;
  if (used.length > 1 || !isNamed(used[0], 'FlateDecode')) {
    throw new PdfDamage('a structural stream has a filter other than FlateDecode');
  }
  let inflated: Uint8Array;
  try {
    inflated = inflate(encoded, limit);
  } catch {
    throw new PdfDamage('a structural stream does not inflate within its bounds');
  }
  const given = dictionary.get('DecodeParms');
  const parameters = dictionaryAt(source, arrayAt(source, given)?.[0] ?? given);
  const predictor = parameters ? integerAt(source, parameters, 'Predictor', 1) : 1;
  if (!parameters || predictor < 2) return inflated;
  if (predictor < 10) throw new PdfDamage('a structural stream has a TIFF predictor');
  const colours = integerAt(source, parameters, 'Colors', 1);
  const bits = integerAt(source, parameters, 'BitsPerComponent', 8);
  const columns = integerAt(source, parameters, 'Columns', 1);
  const width = Math.ceil((colours * bits * columns) / 8);
  if (width > inflated.length) throw new PdfDamage('a predictor is wider than its data');
  return withoutPredictor(inflated, width, Math.max(1, (colours * bits) >> 3));
}

export function paeth(left: number, up: number, upLeft: number): number {
  const estimate = left + up - upLeft;
  const toLeft = Math.abs(estimate - left);
  const toUp = Math.abs(estimate - up);
  const toUpLeft = Math.abs(estimate - upLeft);
  if (toLeft <= toUp && toLeft <= toUpLeft) return left;
  return toUp <= toUpLeft ? up : upLeft;
}

/** Undoes PNG filters: every row of `width` bytes follows one filter byte. */
export function withoutPredictor(data: Uint8Array, width: number, pixel: number): Uint8Array {
  const rows = Math.floor(data.length / (width + 1));
  const result = new Uint8Array(rows * width);
  for (let row = 0; row < rows; row += 1) {
    const from = row * (width + 1) + 1;
    const to = row * width;
    const filter = data[from - 1] as number;
    for (let index = 0; index < width; index += 1) {
      const raw = data[from + index] as number;
      const left = index >= pixel ? (result[to + index - pixel] as number) : 0;
      const up = row > 0 ? (result[to + index - width] as number) : 0;
      const upLeft = row > 0 && index >= pixel ? (result[to + index - width - pixel] as number) : 0;
      let predicted = 0;
      if (filter === 1) predicted = left;
      else if (filter === 2) predicted = up;
      else if (filter === 3) predicted = (left + up) >> 1;
      else if (filter === 4) predicted = paeth(left, up, upLeft);
      result[to + index] = raw + predicted;
    }
  }
  return result;
}
