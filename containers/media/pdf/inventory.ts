/**
 * Counts the contents of a document other than page content, to detect whether another version of it has lost any. Also
 * detects signatures.
 */
import { byteKey } from './byte-key.ts';
import { Destinations } from './destinations.ts';
import type { PdfDocument } from './document.ts';
import { PdfReference } from './objects.ts';
import { type OutlineItem, readOutlines } from './outlines.ts';
import { readPages } from './pages.ts';
import { readNameTree } from './trees.ts';

const MAX_FIELDS = 100_000;

/** Keys of the catalog whose values are not displayed. Their loss is ignored. */
const NO_CONTENT = new Set(['Version', 'Extensions', 'Metadata', 'PieceInfo']);

export interface Inventory {
  pages: number;
  /** The keys of the catalog. */
  catalog: Set<string>;
  /** The subtypes of annotations, page by page. */
  annotations: string[];
  /** The title and page of every bookmark, in order. */
  outlines: string[];
  /** The number of leaves in the trees of form fields. */
  fields: number;
  attachments: number;
  layers: number;
  /** The keys of the document information, such as title and author (section 14.3.3). */
  information: Set<string>;
}

/** Returns the inventory of a document. Throws PdfDamage. */
export function takeInventory(document: PdfDocument): Inventory {
  const pages = readPages(document);
  const catalog = document.catalog.dictionary;
  const names = document.dictionary(catalog.get('Names'));
  const layers = document.dictionary(catalog.get('OCProperties'));
  const annotations: string[] = [];
  for (const { dictionary } of pages.list) {
    const found = document.array(dictionary.get('Annots')) ?? [];
    const subtypes = found.map(
      (entry) => document.name(document.dictionary(entry)?.get('Subtype')) ?? '',
    );
    annotations.push(subtypes.join(' '));
  }
  return {
    pages: pages.list.length,
    catalog: new Set(catalog.keys()),
    annotations,
    outlines: flat(readOutlines(document, new Destinations(document, pages))),
    fields: countFields(document),
    attachments: readNameTree(document, names?.get('EmbeddedFiles')).length,
    layers: document.array(layers?.get('OCGs'))?.length ?? 0,
    information: new Set(document.dictionary(document.trailer.get('Info'))?.keys()),
  };
}

/**
 * Returns one kind of content that the second document has lost, such as `bookmarks`, or undefined if nothing is lost.
 */
export function lossBetween(before: Inventory, after: Inventory): string | undefined {
  if (before.pages !== after.pages) return 'pages';
  if (!isEqual(before.annotations, after.annotations)) return 'annotations';
  if (!isEqual(before.outlines, after.outlines)) return 'bookmarks';
  if (before.fields !== after.fields) return 'form fields';
  if (before.attachments !== after.attachments) return 'attachments';
  if (before.layers !== after.layers) return 'layers';
  for (const key of before.information)
    if (!after.information.has(key)) return 'document information';
  for (const key of before.catalog) {
    if (!after.catalog.has(key) && !NO_CONTENT.has(key)) return 'document settings';
  }
  return undefined;
}

/** Whether the document has a digital signature, which any change would invalidate (section 12.8). */
export function isSigned(document: PdfDocument): boolean {
  const catalog = document.catalog.dictionary;
  const flags = document.number(document.dictionary(catalog.get('AcroForm'))?.get('SigFlags')) ?? 0;
  return catalog.has('Perms') || (flags & 1) === 1;
}

const isEqual = (left: readonly string[], right: readonly string[]) =>
  left.length === right.length && left.every((item, index) => item === right[index]);

function flat(items: readonly OutlineItem[]): string[] {
  return items.flatMap((item) => [
    `${byteKey(item.title.bytes)} ${item.destination?.pageIndex ?? ''}`,
    ...flat(item.children),
  ]);
}

function countFields(document: PdfDocument): number {
  const form = document.dictionary(document.catalog.dictionary.get('AcroForm'));
  const waiting = [...(document.array(form?.get('Fields')) ?? [])];
  const seen = new Set<number>();
  let count = 0;
  for (let field = waiting.pop(); field !== undefined; field = waiting.pop()) {
    if (field instanceof PdfReference) {
      if (seen.has(field.number) || seen.size > MAX_FIELDS) continue;
      seen.add(field.number);
    }
    const dictionary = document.dictionary(field);
    const listed = dictionary?.get('Kids');
    // Direct fields in an indirect array that contains itself would be counted without end.
    if (listed instanceof PdfReference) {
      if (seen.has(listed.number)) continue;
      seen.add(listed.number);
    }
    const kids = document.array(listed) ?? [];
    const isWidget = document.isNamed(dictionary?.get('Subtype'), 'Widget');
    if (kids.length === 0 || isWidget) count += 1;
    // `push(...kids)` would overflow the stack.
    else for (const kid of kids) waiting.push(kid);
  }
  return count;
}
