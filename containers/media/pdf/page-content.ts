/** Decodes the content of a page within limits (ISO 32000-1, section 7.8). */
import type { PdfDocument } from './document.ts';
import { PdfDamage, PdfStream, StreamTooLarge, unlessDamaged } from './objects.ts';
import type { Page } from './pages.ts';
import { decodedStream, filtersOf } from './stream-data.ts';
import { isCompleteDeflate } from './zlib.ts';

/**
 * The maximum size of a page's content in bytes. The content is usually at most a few MB. Programs need about one
 * second per 10 MB.
 */
export const MAX_CONTENT_BYTES = 64 * 1024 * 1024;
/** The maximum expansion factor of a filter. LZW has the largest: codes of 12 bits for up to 3,838 bytes. */
const MAX_EXPANSION = 2559;

/** Returns the content of a page. Throws StreamTooLarge, or PdfDamage if the content cannot be decoded. */
export function pageContent(document: PdfDocument, page: Page): Buffer {
  const pieces: Uint8Array[] = [];
  let left = MAX_CONTENT_BYTES;
  for (const stream of contentStreams(document, page)) {
    const piece = decodedStream(document, stream, left);
    left -= piece.length;
    pieces.push(piece, Uint8Array.of(10));
  }
  return Buffer.concat(pieces);
}

/**
 * Returns the number, from 1, of the first page whose content exceeds the limit. Pages that cannot be decoded are
 * ignored.
 */
export function findHugePage(document: PdfDocument, pages: readonly Page[]): number | undefined {
  const index = pages.findIndex((page) => {
    try {
      const most = contentStreams(document, page).reduce(
        (sum, { dictionary, encoded }) =>
          sum + encoded.length * MAX_EXPANSION ** (filtersOf(document, dictionary)?.length ?? 1),
        0,
      );
      if (most <= MAX_CONTENT_BYTES) return false;
      pageContent(document, page);
      return false;
    } catch (error) {
      if (error instanceof PdfDamage) return error instanceof StreamTooLarge;
      throw error;
    }
  });
  return index < 0 ? undefined : index + 1;
}

/**
 * Whether the content of the page cannot be read or its compressed data is incomplete. Readers then show only the part
 * before the damage.
 */
export function hasDamagedContent(document: PdfDocument, page: Page): boolean {
  const isWhole = unlessDamaged(() =>
    contentStreams(document, page).every(({ dictionary, encoded }) => {
      const filters = filtersOf(document, dictionary);
      const isDeflated = filters?.[0]?.name === 'FlateDecode';
      return !isDeflated || isCompleteDeflate(encoded, MAX_CONTENT_BYTES);
    }),
  );
  return !isWhole;
}

const contentStreams = (document: PdfDocument, { dictionary }: Page): PdfStream[] =>
  document
    .list(dictionary.get('Contents'))
    .map((item) => document.resolve(item))
    .filter((item) => item instanceof PdfStream);
