/** Removes data that no page shows, such as application data, thumbnails, alternate images, and XMP padding. */
import { isDictionary, type PdfDictionary, PdfStream, type PdfValue } from '../objects.ts';
import { decodedData } from '../stream-data.ts';
import type { Draft } from './draft.ts';

/**
 * The keys of application data (section 14.5), thumbnails (12.3.4), alternate images (8.9.5.4), and the copies of
 * annotations that Apple's editor stores for its own use.
 */
const UNSEEN = [
  ...['PieceInfo', 'Thumb', 'Alternates'],
  ...['AAPL:AKExtras', 'AAPL:AKAnnotationObject', 'AAPL:AKPDFAnnotationDictionary'],
];
const MAX_XMP_BYTES = 16 * 1024 * 1024;
/**
 * The marker that ends an XMP packet. Editors write white space before it, as padding for in-place changes (XMP, part
 * 1, section 7.3.3).
 */
const PACKET_END = '<?xpacket end';
const THUMBNAILS_END = '</xmp:Thumbnails>';
const MIN_PADDING = 64;

/** Throws PdfDamage. */
export function cleanUp(draft: Draft): void {
  for (const [reference, value] of draft.objects()) {
    const entries = value instanceof PdfStream ? value.dictionary : value;
    if (!isDictionary(entries)) continue;
    const cleaned = new Map(entries);
    for (const key of UNSEEN) cleaned.delete(key);
    const data = shortXmp(draft, value);
    if (data) {
      for (const key of ['Filter', 'DecodeParms']) cleaned.delete(key);
      draft.set(reference, new PdfStream(cleaned, data));
    } else if (cleaned.size < entries.size) {
      draft.set(
        reference,
        value instanceof PdfStream ? new PdfStream(cleaned, value.encoded) : cleaned,
      );
    }
  }
}

/**
 * Returns an XMP packet without its padding and thumbnails. Returns undefined if that saves fewer than MIN_PADDING
 * bytes or the value is not XMP.
 */
function shortXmp(draft: Draft, value: PdfValue): Uint8Array | undefined {
  if (!(value instanceof PdfStream) || !isXmp(draft, value.dictionary)) return undefined;
  const data = decodedData(draft, value, MAX_XMP_BYTES);
  if (!data) return undefined;
  const text = Buffer.from(data).toString('latin1');
  const end = text.lastIndexOf(PACKET_END);
  if (end < 0) return undefined;
  const packet = withoutThumbnails(text.slice(0, end).trimEnd());
  if (end - packet.length < MIN_PADDING) return undefined;
  return Buffer.from(`${packet}\n${text.slice(end)}`, 'latin1');
}

/** Removes thumbnails, which are encoded as Base64 (XMP, part 1, section 8.4). */
function withoutThumbnails(packet: string): string {
  const start = packet.indexOf('<xmp:Thumbnails>');
  const end = start < 0 ? -1 : packet.indexOf(THUMBNAILS_END, start);
  return end < 0 ? packet : packet.slice(0, start) + packet.slice(end + THUMBNAILS_END.length);
}

export const isXmp = (draft: Draft, entries: PdfDictionary): boolean =>
  draft.isNamed(entries.get('Type'), 'Metadata') && draft.isNamed(entries.get('Subtype'), 'XML');
