/**
 * Merges and splits small plain PDFs in the Worker with pdf-lib. A PDF is plain if pdf-lib can copy it correctly: its
 * pages have no annotations, and the file has no outlines, forms, names, labels, layers, tags, encryption or damage.
 */
import { Unzlib } from 'fflate';
import { PDFArray, PDFDict, PDFDocument, PDFName, PDFRef, PDFStream } from 'pdf-lib';
import { ToolError } from '../core/errors.ts';

/** The media worker processes files beyond these limits. It is faster and uses none of the isolate's memory. */
const MAX_BYTES = 2 ** 20;
const MAX_PAGES = 50;
/** The maximum number of nodes in a page tree. A tree of at most `MAX_PAGES` pages needs no more nodes. */
const MAX_NODES = 200;
/** The maximum decompressed size of a file's streams in bytes, if pdf-lib decompresses any. */
const MAX_UNPACKED_BYTES = 32 * 2 ** 20;
/**
 * The maximum number of compressed bytes that are read, as a multiple of the file size. The word `stream` inside a
 * stream causes a second decompression of the same bytes.
 */
const MAX_PASSES = 4;
/** The number of bytes that are decompressed at a time. Even if they grow a thousandfold, the output is small. */
const UNPACK_STEP = 4096;
/**
 * The minimum number of bytes that are charged for a stream, because even a small stream needs a decoder with its own
 * window.
 */
const MIN_INPUT_BYTES = 512;
/** The maximum number of pages across all parts of a split. */
const MAX_SELECTED_PAGES = 100;

const PLAIN_CATALOG =
  'Type Pages Version Metadata Lang PageLayout PageMode ViewerPreferences'.split(' ');
/** `StructParents` has no meaning in a file without tags. */
const PLAIN_PAGE = (
  'Type Parent Resources Contents MediaBox CropBox BleedBox TrimBox ArtBox Rotate Group ' +
  'UserUnit LastModified Tabs Annots StructParents'
).split(' ');

export type PlainDocument = PDFDocument;

/** Whether files of these sizes are small enough for pdf-lib. The sizes are checked before the bytes are read. */
export const isSmall = (sizes: readonly number[]): boolean =>
  sizes.reduce((sum, size) => sum + size, 0) <= MAX_BYTES;

/**
 * Whether pdf-lib can extract these selections. They must have few pages in total. No part may contain a page twice,
 * because pdf-lib would use one page object for both.
 */
export const isSmallSelection = (selections: readonly (readonly number[])[]): boolean =>
  selections.reduce((sum, pages) => sum + pages.length, 0) <= MAX_SELECTED_PAGES &&
  selections.every((pages) => new Set(pages).size === pages.length);

/**
 * Returns the result of `work`, or null if pdf-lib throws. Any access to a malformed object may throw. The media worker
 * must then do the work. ToolErrors are rethrown.
 */
export async function unlessPdfLibFails<Result>(
  work: () => Promise<Result | null>,
): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ToolError) throw error;
    return null;
  }
}

/** Opens a document. Returns null if it is damaged, too large or not plain. The media worker must then process it. */
export async function openPlain(bytes: Uint8Array): Promise<PlainDocument | null> {
  if (isCertainlyNotPlain(bytes) || !hasEndMarker(bytes) || unpacksTooMuch(bytes)) return null;
  return unlessPdfLibFails(async () => {
    const document = await PDFDocument.load(bytes, {
      throwOnInvalidObject: true,
      updateMetadata: false,
    });
    return isPlain(document) ? document : null;
  });
}

const LATIN_1 = new TextDecoder('latin1');
const NOT_PLAIN =
  /\/(Outlines|AcroForm|Annots|Names|Dests|PageLabels|StructTreeRoot|OCProperties|Encrypt)\b/;

/** Whether the raw bytes already show that the file is not plain. pdf-lib would need about 50 ms to find out. */
function isCertainlyNotPlain(bytes: Uint8Array): boolean {
  const text = LATIN_1.decode(bytes);
  if (NOT_PLAIN.test(text)) return true;
  return (text.match(/\/Type\s?\/Page\b/g)?.length ?? 0) > MAX_PAGES;
}

/**
 * Whether pages share a dictionary of images or of several fonts. In that case, pdf-lib would copy the resources of all
 * pages with each page.
 */
export function sharesResources(document: PlainDocument): boolean {
  const seen = new Set<unknown>();
  const wasSeen = (value: unknown) => seen.has(value) || !seen.add(value);
  const queue = document.getPages().map(({ node }) => node.Resources());
  for (const resources of queue) {
    const drawn = dictionaryIn(resources, 'XObject');
    const fonts = dictionaryIn(resources, 'Font');
    if (drawn && drawn.keys().length > 0 && wasSeen(drawn)) return true;
    // A shared dictionary with a single font does not count, because almost every page uses the same font.
    if (fonts && fonts.keys().length > 1 && wasSeen(fonts)) return true;
    for (const name of drawn?.keys() ?? []) {
      const drawing = drawn?.lookup(name);
      if (drawing instanceof PDFStream && !wasSeen(drawing)) {
        queue.push(dictionaryIn(drawing.dict, 'Resources'));
      }
    }
  }
  return false;
}

function dictionaryIn(dictionary: PDFDict | undefined, key: string): PDFDict | undefined {
  const value = dictionary?.lookup(PDFName.of(key));
  return value instanceof PDFDict ? value : undefined;
}

/**
 * Returns one document that contains the pages of all documents in order, and the document information of the first.
 * Throws if pdf-lib fails.
 */
export async function mergePlain(documents: readonly PlainDocument[]): Promise<Uint8Array> {
  const [first, ...others] = documents;
  if (!first) throw new Error('nothing to merge');
  for (const other of others) {
    for (const page of await first.copyPages(other, other.getPageIndices())) first.addPage(page);
  }
  return save(first);
}

/**
 * Returns a document with the given pages (from 1) of another document, which stays unchanged. Throws if pdf-lib fails.
 */
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

/** Returns the document, written with object streams. Throws if pdf-lib fails. */
export const packPlain = (document: PlainDocument): Promise<Uint8Array> => save(document);

const save = (document: PDFDocument) =>
  document.save({ addDefaultPage: false, updateFieldAppearances: false });

function isPlain(document: PDFDocument): boolean {
  // The trailer is checked, because pdf-lib assumes no encryption if the encryption dictionary is missing.
  if (document.context.trailerInfo.Encrypt || !hasSmallTree(document)) return false;
  const pages = document.getPages();
  return (
    pages.length >= 1 &&
    pages.length <= MAX_PAGES &&
    hasOnly(document.catalog, PLAIN_CATALOG) &&
    pages.every(({ node }) => hasOnly(node, PLAIN_PAGE) && (node.Annots()?.size() ?? 0) === 0) &&
    new Set(pages.map(({ ref }) => ref)).size === pages.length
  );
}

/** Whether the page tree has few nodes and no cycle. Without this check, a cycle would cause an endless loop. */
function hasSmallTree({ catalog, context }: PDFDocument): boolean {
  const root = catalog.get(PDFName.of('Pages'));
  const nodes = new Set([root]);
  for (const node of nodes) {
    const dictionary = node instanceof PDFRef ? context.lookup(node) : undefined;
    if (!(dictionary instanceof PDFDict)) return false;
    if (node === root && dictionary.has(PDFName.Parent)) return false;
    if (node !== root && !nodes.has(dictionary.get(PDFName.Parent))) return false;
    const kids = dictionary.lookup(PDFName.of('Kids'));
    for (const kid of kids instanceof PDFArray ? kids.asArray() : []) {
      if (nodes.has(kid) || nodes.size >= MAX_NODES) return false;
      nodes.add(kid);
    }
  }
  return true;
}

/** Whether the file ends with an end-of-file marker. pdf-lib silently accepts a truncated file. */
function hasEndMarker(bytes: Uint8Array): boolean {
  const end = LATIN_1.decode(bytes.subarray(-1024));
  return /startxref\s+\d+\s+%%EOF/.test(end);
}

/**
 * Whether pdf-lib could exhaust the isolate's memory, because it decompresses whole object and cross-reference streams.
 * Returns true if the check takes too long, and false if there are no such streams.
 */
function unpacksTooMuch(bytes: Uint8Array): boolean {
  const text = LATIN_1.decode(bytes);
  const names = text.replace(/#([\da-f]{2})/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  if (!/\/(ObjStm|XRef)/.test(names)) return false;
  if (/(LZW|ASCII85|ASCIIHex|RunLength)Decode/.test(names)) return true;
  const budget: InflateBudget = {
    outputBytes: MAX_UNPACKED_BYTES,
    inputBytes: MAX_PASSES * bytes.length,
  };
  for (const { index, 0: keyword } of text.matchAll(/stream(?: ?\r\n|\r|\n)?/g)) {
    const start = index + keyword.length;
    if (!isZlib(bytes, start)) continue;
    const end = text.indexOf('endstream', start);
    spendBudget(bytes.subarray(start, end < 0 ? bytes.length : end), budget);
    if (budget.outputBytes < 0 || budget.inputBytes < 0) return true;
  }
  return false;
}

/** Whether a zlib header is at this position (RFC 1950, section 2.2). */
const isZlib = (bytes: Uint8Array, at: number): boolean =>
  ((bytes[at] ?? 0) & 15) === 8 && (((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)) % 31 === 0;

/** The remaining numbers of bytes that may be read and written by decompression. */
interface InflateBudget {
  inputBytes: number;
  outputBytes: number;
}

/**
 * Subtracts the sizes of a stream from the budget. A number becomes negative if the stream is too large, compressed
 * twice or not terminated.
 */
function spendBudget(stream: Uint8Array, budget: InflateBudget): void {
  budget.inputBytes -= Math.max(stream.length, MIN_INPUT_BYTES);
  if (budget.inputBytes < 0) return;
  let atStart = true;
  const unzlib = new Unzlib((piece) => {
    if (atStart && piece.length > 1) {
      atStart = false;
      if (isZlib(piece, 0)) budget.outputBytes = -1;
    }
    budget.outputBytes -= piece.length;
  });
  try {
    for (let at = 0; at < stream.length && budget.outputBytes >= 0; at += UNPACK_STEP) {
      unzlib.push(stream.subarray(at, at + UNPACK_STEP));
    }
  } catch {
    // The stream is damaged. pdf-lib also stops reading here.
    return;
  }
  try {
    unzlib.push(new Uint8Array(), true);
  } catch {
    // The data continues after the apparent end of the stream.
    budget.outputBytes = -1;
  }
}

const hasOnly = (dictionary: PDFDict, names: readonly string[]) =>
  dictionary.keys().every((key) => names.includes(key.decodeText()));

/**
 * Copies the document information, such as title and author (ISO 32000-1, section 14.3.3). Its values are strings and
 * names.
 */
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
