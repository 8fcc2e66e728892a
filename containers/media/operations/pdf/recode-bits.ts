/** Recodes a one-bit image of a PDF as CCITT Group 4, without loss. */
import {
  dictionary,
  name,
  type ObjectSource,
  PdfStream,
  type PdfValue,
} from '../../pdf/objects.ts';
import { oneBitRows, oneBitSize } from '../../pdf/one-bit-image.ts';
import { group4, unpackedBits } from '../image/group4.ts';

/** The replacement stream; undefined if it is no such image, or not smaller. */
export async function recodedBits(
  source: ObjectSource,
  stream: PdfValue,
): Promise<PdfStream | undefined> {
  const size = oneBitSize(source, stream);
  if (!size || !(stream instanceof PdfStream)) return undefined;
  const rows = oneBitRows(source, stream, size);
  if (!rows) return undefined;
  const { width, height } = size;
  const stride = Math.ceil(width / 8);
  const pixels = unpackedBits(rows, width, height, { stride, start: 0 });
  const { data, black } = await group4(pixels, width, height);
  if (data.length >= stream.encoded.length) return undefined;
  const parameters = { K: -1, Columns: width, Rows: height, BlackIs1: black === 1 };
  const entries = new Map(stream.dictionary)
    .set('Filter', name('CCITTFaxDecode'))
    .set('DecodeParms', dictionary(parameters));
  return new PdfStream(entries, data);
}
