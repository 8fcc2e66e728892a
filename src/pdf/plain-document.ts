/**
 * Small plain PDFs, merged and split at the edge with pdf-lib. Plain is what pdf-lib copies rightly: pages without
 * annotations in a file without outlines, forms, names, labels, layers, tags, encryption or damage.
 */
import { type PDFDict, PDFDocument, PDFName, PDFRef } from 'pdf-lib';

/** Beyond these bounds qpdf is faster, and an isolate's memory is better left alone. */
const MAX_BYTES = 2 ** 20;
const MAX_PAGES = 50;

const PLAIN_CATALOG = [
  'Type',
  'Pages',
  'Version',
  'Metadata',
  'Lang',
  'PageLayout',
  'PageMode',
  'ViewerPreferences',
];
const PLAIN_PAGE = [
  'Type',
  'Parent',
  'Resources',
  'Contents',
  'MediaBox',
  'CropBox',
  'BleedBox',
  'TrimBox',
  'ArtBox',
  'Rotate',
  'Group',
  'UserUnit',
  'LastModified',
  'Tabs',
  'Annots',
];

export type PlainDocument = PDFDocument;

/** Whether files of these sizes may be plain at all: asked before their bytes are fetched. */
export const isSmall = (sizes: readonly number[]): boolean =>
  sizes.reduce((sum, size) => sum + size, 0) <= MAX_BYTES;

/** The document where it is plain, else null: it is work for qpdf then, also when pdf-lib finds it damaged. */
export async function openPlain(bytes: Uint8Array): Promise<PlainDocument | null> {
  let document: PDFDocument;
  try {
    document = await PDFDocument.load(bytes, { throwOnInvalidObject: true, updateMetadata: false });
    if (!isPlain(document)) return null;
  } catch {
    return null;
  }
  return document;
}

/** One document with the pages of all, in order; the document information is that of the first. */
export async function mergePlain(documents: readonly PlainDocument[]): Promise<Uint8Array> {
  const [first, ...others] = documents;
  if (!first) throw new Error('nothing to merge');
  for (const other of others) {
    for (const page of await first.copyPages(other, other.getPageIndices())) first.addPage(page);
  }
  return save(first);
}

/** A document with the given pages (1-based) of another one, which stays as it is. */
export async function selectPlain(
  document: PlainDocument,
  pages: readonly number[],
): Promise<Uint8Array> {
  const selection = await PDFDocument.create({ updateMetadata: false });
  const copies = await selection.copyPages(
    document,
    pages.map((page) => page - 1),
  );
  for (const copy of copies) selection.addPage(copy);
  copyInformation(document, selection);
  return save(selection);
}

const save = (document: PDFDocument) =>
  document.save({ addDefaultPage: false, updateFieldAppearances: false });

function isPlain(document: PDFDocument): boolean {
  const pages = document.getPages();
  return (
    pages.length >= 1 &&
    pages.length <= MAX_PAGES &&
    hasOnly(document.catalog, PLAIN_CATALOG) &&
    pages.every(({ node }) => hasOnly(node, PLAIN_PAGE) && (node.Annots()?.size() ?? 0) === 0) &&
    new Set(pages.map(({ ref }) => ref)).size === pages.length
  );
}

const hasOnly = (dictionary: PDFDict, names: readonly string[]) =>
  dictionary.keys().every((key) => names.includes(key.decodeText()));

/** Title, author and the like (ISO 32000-1 §14.3.3), whose values are strings and names. */
function copyInformation(from: PDFDocument, to: PDFDocument): void {
  const { Info } = from.context.trailerInfo;
  const information = Info instanceof PDFRef ? from.context.lookup(Info) : Info;
  if (!information || !('entries' in information)) return;
  const copy = to.context.obj({});
  for (const [name, value] of (information as PDFDict).entries()) {
    const direct = value instanceof PDFRef ? from.context.lookup(value) : value;
    if (direct) copy.set(PDFName.of(name.decodeText()), direct.clone(to.context));
  }
  to.context.trailerInfo.Info = to.context.register(copy);
}
