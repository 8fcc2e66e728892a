/** Selects, for each row of an image, the PNG filter that is likely to compress best (ISO 32000-1, section 7.4.4.4). */

import { paeth } from '../../png/predictor.ts';
import { dictionary, type ObjectSource, type PdfDictionary } from '../objects.ts';
import type { FilterStep } from '../stream-data.ts';

const MAX_COMPONENTS = 32;
const PNG_OPTIMUM = 15;
const FILTERS = 5;

export interface PngRows {
  rows: Uint8Array;
  filter: FilterStep;
}

/** Returns the filtered rows, or undefined if the stream is not an image with eight bits per sample. */
export function pngRows(
  source: ObjectSource,
  entries: PdfDictionary,
  data: Uint8Array,
): PngRows | undefined {
  if (!source.isNamed(entries.get('Subtype'), 'Image')) return undefined;
  const [width, height, bits] = ['Width', 'Height', 'BitsPerComponent'].map((key) =>
    source.resolve(entries.get(key)),
  );
  if (bits !== 8 || typeof width !== 'number' || typeof height !== 'number') return undefined;
  const pixel = data.length / (width * height);
  if (!Number.isInteger(pixel) || pixel < 1 || pixel > MAX_COMPONENTS) return undefined;
  const parameters = dictionary({ Predictor: PNG_OPTIMUM, Colors: pixel, Columns: width });
  return {
    rows: filtered(data, width * pixel, pixel),
    filter: { name: 'FlateDecode', parameters },
  };
}

function filtered(data: Uint8Array, width: number, pixel: number): Uint8Array {
  const count = data.length / width;
  const result = new Uint8Array(count * (width + 1));
  const candidates = Array.from({ length: FILTERS }, () => new Uint8Array(width));
  for (let row = 0; row < count; row += 1) {
    const costs = filterRow(data, row * width, width, pixel, candidates);
    const best = costs.indexOf(Math.min(...costs));
    result[row * (width + 1)] = best;
    result.set(candidates[best]!, row * (width + 1) + 1);
  }
  return result;
}

/**
 * Applies each filter to the row, and writes the result to the filter's candidate. Returns each candidate's sum of
 * absolute values.
 */
function filterRow(
  data: Uint8Array,
  start: number,
  width: number,
  pixel: number,
  candidates: readonly Uint8Array[],
): number[] {
  const costs = new Array<number>(FILTERS).fill(0);
  for (let index = 0; index < width; index += 1) {
    const at = start + index;
    const hasLeft = index >= pixel;
    const left = hasLeft ? data[at - pixel]! : 0;
    const up = data[at - width] ?? 0;
    const upLeft = hasLeft ? (data[at - width - pixel] ?? 0) : 0;
    const predictions = [0, left, up, (left + up) >> 1, paeth(left, up, upLeft)];
    for (let filter = 0; filter < FILTERS; filter += 1) {
      const difference = (data[at]! - predictions[filter]!) & 255;
      candidates[filter]![index] = difference;
      costs[filter]! += difference < 128 ? difference : 256 - difference;
    }
  }
  return costs;
}
