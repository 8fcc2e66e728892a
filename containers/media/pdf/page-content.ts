/** The decoded content of a page, within limits (ISO 32000-1, section 7.8). */
import type { PdfDocument } from './document.ts';
import { decodedStream, type Inflate } from './filters.ts';
import { arrayAt, PdfDamage, PdfStream } from './objects.ts';
import type { Page } from './pages.ts';

/** Real pages have up to some MB; programs need a second for about 10 MB. */
export const MAXIMUM_CONTENT_BYTES = 64 * 1024 * 1024;
/** Deflate expands by at most 1032. */
const MOST_EXPANSION = 1032;

/** A page whose content inflates beyond the limit. */
export class PageTooLarge extends PdfDamage {}

/** The content of a page. Throws PageTooLarge, and PdfDamage for other filters than FlateDecode. */
export function pageContent(document: PdfDocument, page: Page, inflate: Inflate): Uint8Array {
  const pieces: Uint8Array[] = [];
  let left = MAXIMUM_CONTENT_BYTES;
  for (const stream of contentStreams(document, page)) {
    const piece = decodedWithin(document, stream, inflate, left);
    left -= piece.length;
    pieces.push(piece, Uint8Array.of(10));
  }
  return Buffer.concat(pieces);
}

/** The number, from 1, of the first page that inflates beyond the limit. A damaged page does not. */
export function findHugePage(
  document: PdfDocument,
  pages: readonly Page[],
  inflate: Inflate,
): number | undefined {
  const index = pages.findIndex((page) => {
    try {
      const streams = contentStreams(document, page);
      const encoded = streams.reduce((sum, stream) => sum + stream.encoded.length, 0);
      if (encoded * MOST_EXPANSION <= MAXIMUM_CONTENT_BYTES) return false;
      pageContent(document, page, inflate);
      return false;
    } catch (error) {
      if (error instanceof PdfDamage) return error instanceof PageTooLarge;
      throw error;
    }
  });
  return index < 0 ? undefined : index + 1;
}

function decodedWithin(
  document: PdfDocument,
  stream: PdfStream,
  inflate: Inflate,
  limit: number,
): Uint8Array {
  let isTooLarge = limit <= 0;
  const bounded: Inflate = (bytes, most) => {
    try {
      return inflate(bytes, Math.max(1, most));
    } catch (error) {
      isTooLarge ||= (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
      throw error;
    }
  };
  try {
    const decoded = decodedStream(document, stream, bounded, limit);
    if (decoded.length <= limit) return decoded;
    isTooLarge = true;
  } catch (error) {
    if (!isTooLarge) throw error;
  }
  throw new PageTooLarge('the content of a page is too large');
}

function contentStreams(document: PdfDocument, { dictionary }: Page): PdfStream[] {
  const contents = dictionary.get('Contents');
  const listed = arrayAt(document, contents) ?? [contents ?? null];
  return listed
    .map((item) => document.resolve(item))
    .filter((item): item is PdfStream => item instanceof PdfStream);
}
