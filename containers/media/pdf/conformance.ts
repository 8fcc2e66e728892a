/**
 * Reads and removes a document's claims that it conforms to standards such as PDF/A. The claims are in the XMP metadata
 * (ISO 19005-1, section 6.7.11), and for PDF/X also in the document information.
 */
import type { PdfDocument } from './document.ts';
import type { IncrementalUpdate } from './incremental-update.ts';
import { type PdfDictionary, PdfReference, PdfStream, PdfString } from './objects.ts';
import { decodedData, setFilters } from './stream-data.ts';

const XMP_LIMIT = 16 * 1024 * 1024;
/** The prefixes that the standards require for PDF/A, PDF/UA and PDF/X. */
const PREFIXES = ['pdfaid', 'pdfuaid', 'pdfxid'] as const;
const INFO_KEYS = ['GTS_PDFXVersion', 'GTS_PDFXConformance'];
/** The properties that must be equal in all files. Others, such as the year of the standard, may differ. */
const LEVEL = /^(part|conformance|GTS_PDFXVersion)$/;
const ATTRIBUTE =
  /\s(pdfaid|pdfuaid|pdfxid):(\w{1,40})\s?=\s?(?:"([^"<>]{0,100})"|'([^'<>]{0,100})')/g;
const ELEMENT =
  /<(pdfaid|pdfuaid|pdfxid):(\w{1,40})(?:\s[^<>]{0,200})?>([^<>]{0,100})<\/(?:pdfaid|pdfuaid|pdfxid):\w{1,40}\s?>/g;

type Prefix = (typeof PREFIXES)[number];

/** The claimed level of each standard by its prefix, such as `conformance=B part=2`. */
export type Claims = Partial<Record<Prefix, string>>;

/**
 * Returns the claims of a document. Ignores metadata that cannot be decoded. Throws PdfDamage if the catalog or an
 * object with claims cannot be parsed.
 */
export function readClaims(document: PdfDocument): Claims {
  const text = readXmp(document)?.text ?? '';
  const levels: Record<Prefix, string[]> = { pdfaid: [], pdfuaid: [], pdfxid: [] };
  for (const pattern of [ATTRIBUTE, ELEMENT]) {
    for (const [, prefix, key, value, single] of text.matchAll(pattern)) {
      if (!LEVEL.test(key!)) continue;
      levels[prefix as Prefix].push(`${key}=${(value ?? single ?? '').trim()}`);
    }
  }
  const version = document.resolve(
    documentInformation(document)?.dictionary.get('GTS_PDFXVersion'),
  );
  if (version instanceof PdfString) levels.pdfxid.push(Buffer.from(version.bytes).toString('hex'));
  const claims: Claims = {};
  for (const prefix of PREFIXES) {
    if (levels[prefix].length > 0) claims[prefix] = levels[prefix].sort().join(' ');
  }
  return claims;
}

/**
 * Removes each claim from a merged file unless all source files make it. The merged file has the metadata of the first
 * one. Returns the prefixes of the removed claims.
 */
export function withdrawClaims(
  merged: PdfDocument,
  update: IncrementalUpdate,
  [first = {}, ...others]: readonly Claims[],
): Prefix[] {
  const withdrawn = PREFIXES.filter(
    (prefix) =>
      first[prefix] !== undefined && others.some((claims) => claims[prefix] !== first[prefix]),
  );
  if (withdrawn.length === 0) return withdrawn;
  const xmp = readXmp(merged);
  if (xmp) {
    const { reference, stream } = xmp;
    const isWithdrawn = (prefix: string) => withdrawn.some((other) => other === prefix);
    const cut = (match: string, prefix: string) => (isWithdrawn(prefix) ? '' : match);
    const text = xmp.text.replace(ATTRIBUTE, cut).replace(ELEMENT, cut);
    // XMP is not compressed, so that programs that cannot read PDF can find it.
    const entries: PdfDictionary = new Map(stream.dictionary);
    setFilters(entries, []);
    update.set(reference, new PdfStream(entries, Buffer.from(text, 'latin1')));
  }
  if (withdrawn.includes('pdfxid')) withdrawInformation(merged, update);
  return withdrawn;
}

function withdrawInformation(merged: PdfDocument, update: IncrementalUpdate): void {
  const information = documentInformation(merged);
  if (!information) return;
  const entries = new Map(information.dictionary);
  for (const key of INFO_KEYS) entries.delete(key);
  update.set(information.reference, entries);
}

function documentInformation(document: PdfDocument) {
  const reference = document.trailer.get('Info');
  const dictionary = document.dictionary(reference);
  return reference instanceof PdfReference && dictionary ? { reference, dictionary } : undefined;
}

/**
 * Returns the XMP metadata, or undefined if it is missing or cannot be decoded. Each character of the text is one byte.
 */
function readXmp(document: PdfDocument) {
  const reference = document.catalog.dictionary.get('Metadata');
  const stream = document.resolve(reference);
  if (!(reference instanceof PdfReference && stream instanceof PdfStream)) return undefined;
  const data = decodedData(document, stream, XMP_LIMIT);
  return data && { reference, stream, text: Buffer.from(data).toString('latin1') };
}
