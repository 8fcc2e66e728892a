/** Recompresses streams with FlateDecode at the highest level, and removes the metadata inside JPEGs. */

import { strippedJpeg } from '../../jpeg/strip-jpeg.ts';
import { PdfStream, unlessDamaged } from '../objects.ts';
import { type FilterStep, type Opened, opened, setFilters } from '../stream-data.ts';
import { deflate } from '../zlib.ts';
import { isXmp } from './clean-up.ts';
import type { Draft } from './draft.ts';
import { pngRows } from './png-rows.ts';

/** The maximum decoded size of a stream in bytes. For larger streams, the savings are not worth the time. */
const MAX_BYTES = 8 * 1024 * 1024;
/**
 * The minimum saving for an image, as a share of its size. Deflating a JPEG saves little, and readers then have to
 * inflate it.
 */
const MIN_SAVING_OF_IMAGES = 0.05;

/**
 * Recompresses the streams that become smaller. With `plainMetadata`, XMP stays as it is, because PDF/A-1 does not
 * allow its compression. Throws PdfDamage.
 */
export function recompress(draft: Draft, plainMetadata: boolean): void {
  for (const [reference, value] of draft.objects()) {
    if (!(value instanceof PdfStream)) continue;
    if (plainMetadata && isXmp(draft, value.dictionary)) continue;
    const smaller = recompressed(draft, value);
    if (smaller) draft.set(reference, smaller);
  }
}

function recompressed(draft: Draft, stream: PdfStream): PdfStream | undefined {
  const found = unlessDamaged(() => opened(draft, stream, MAX_BYTES));
  if (!found) return undefined;
  const { predicted, rest } = found;
  const data = withoutJpegMetadata(found);
  const parameters = predicted && new Map(predicted);
  parameters?.delete('EarlyChange');
  let flate: FilterStep = { name: 'FlateDecode', parameters };
  let deflated = deflate(data);
  const predictable = !predicted && rest.length === 0 && pngRows(draft, stream.dictionary, data);
  const filtered = predictable && deflate(predictable.rows);
  if (filtered && filtered.length < deflated.length) {
    deflated = filtered;
    flate = predictable.filter;
  }
  const share = rest.length > 0 ? 1 - MIN_SAVING_OF_IMAGES : 1;
  const isBetter = predicted !== undefined || deflated.length < data.length * share;
  const encoded = isBetter ? deflated : data;
  if (encoded.length >= stream.encoded.length) return undefined;
  const entries = new Map(stream.dictionary);
  setFilters(entries, isBetter ? [flate, ...rest] : rest);
  return new PdfStream(entries, encoded);
}

/** Removes Exif and other metadata inside a JPEG, which PDF readers ignore. */
function withoutJpegMetadata({ data, rest }: Opened): Uint8Array {
  if (rest[0]?.name !== 'DCTDecode') return data;
  return strippedJpeg(Buffer.from(data.buffer, data.byteOffset, data.length), 1) ?? data;
}
