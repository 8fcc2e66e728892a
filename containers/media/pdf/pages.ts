/**
 * Finds the pages of a document in order. Walks the whole page tree, because its Count may be wrong (ISO 32000-1,
 * section 7.7.3).
 */
import type { PdfDocument } from './document.ts';
import type { IncrementalUpdate } from './incremental-update.ts';
import { isDictionary, PdfDamage, type PdfDictionary, PdfReference } from './objects.ts';

export const MAX_PAGES = 200_000;

/** The keys that a page may inherit (section 7.7.3.4). */
const INHERITED = ['Resources', 'MediaBox', 'CropBox', 'Rotate'];

export interface Page {
  reference: PdfReference;
  dictionary: PdfDictionary;
  /**
   * The inherited entries. They are determined by following Kids instead of Parent, as readers do. Siblings share the
   * object.
   */
  inherited: PdfDictionary;
}

export interface Pages {
  list: Page[];
  /** Maps the object number of each page to its index in `list`, from 0. */
  indexOf: Map<number, number>;
}

export class PdfWithoutPages extends PdfDamage {}

/**
 * Returns all pages in order. Throws PdfDamage if the tree has a loop, lists a page twice, has a node that is missing
 * or not an indirect object, or has too many pages. qpdf must then repair the file first. Throws PdfWithoutPages if
 * there are no pages.
 */
export function readPages(document: PdfDocument): Pages {
  const root = document.catalog.dictionary.get('Pages');
  if (!(root instanceof PdfReference)) throw new PdfDamage('there is no page tree');
  const list: Page[] = [];
  const indexOf = new Map<number, number>();
  const seen = new Set<number>();
  const waiting: [PdfReference, PdfDictionary][] = [[root, new Map()]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [reference, above] = next;
    if (seen.has(reference.number)) throw new PdfDamage('a node appears twice in the page tree');
    seen.add(reference.number);
    const node = document.resolve(reference);
    if (!isDictionary(node)) throw new PdfDamage('a page tree node is missing');
    const kids = document.array(node.get('Kids'));
    if (kids && !document.isNamed(node.get('Type'), 'Page')) {
      const inherited = withOwn(document, above, node);
      for (let index = kids.length - 1; index >= 0; index -= 1) {
        const kid = kids[index];
        if (!(kid instanceof PdfReference)) throw new PdfDamage('a page is not an indirect object');
        waiting.push([kid, inherited]);
      }
      if (waiting.length > MAX_PAGES * 2) throw new PdfDamage('there are too many pages');
    } else if (document.isNamed(node.get('Type'), 'Pages')) {
      // A branch without pages is valid.
      if (reference === root) break;
    } else {
      indexOf.set(reference.number, list.length);
      list.push({ reference, dictionary: node, inherited: above });
      if (list.length > MAX_PAGES) throw new PdfDamage('there are too many pages');
    }
  }
  if (list.length === 0) throw new PdfWithoutPages('there are no pages');
  return { list, indexOf };
}

/** Whether the document declares a wrong number of pages. Other programs trust that number. Throws PdfDamage. */
export function miscounts(document: PdfDocument): boolean {
  const root = document.dictionary(document.catalog.dictionary.get('Pages'));
  return document.resolve(root?.get('Count')) !== readPages(document).list.length;
}

/** Corrects the number of pages. Throws PdfDamage. */
export function countPages(document: PdfDocument, update: IncrementalUpdate): void {
  const { list } = readPages(document);
  const root = document.catalog.dictionary.get('Pages') as PdfReference;
  const node = document.resolve(root) as PdfDictionary;
  update.set(root, new Map([...node, ['Count', list.length]]));
}

/**
 * Returns the entries that the children of a node inherit. An entry with the value null counts as missing (section
 * 7.3.7).
 */
function withOwn(document: PdfDocument, above: PdfDictionary, node: PdfDictionary): PdfDictionary {
  const own = INHERITED.filter((key) => document.resolve(node.get(key)) !== null);
  if (own.length === 0) return above;
  return new Map([...above, ...own.map((key) => [key, node.get(key)!] as const)]);
}

/**
 * Returns the page references of a flat page tree. qpdf writes such trees. Returns undefined if the tree is not flat,
 * lists a page twice, or refers to a missing page. To save time, only the first and the last page are parsed.
 */
export function flatPageReferences(document: PdfDocument): PdfReference[] | undefined {
  const root = document.dictionary(document.catalog.dictionary.get('Pages'));
  const kids = root && document.array(root.get('Kids'));
  if (!kids || kids.length === 0) return undefined;
  const seen = new Set<number>();
  const references: PdfReference[] = [];
  for (const kid of kids) {
    if (!(kid instanceof PdfReference) || seen.has(kid.number)) return undefined;
    if (!document.has(kid.number)) return undefined;
    seen.add(kid.number);
    references.push(kid);
  }
  for (const reference of [references[0], references.at(-1)]) {
    const page = document.dictionary(reference);
    if (!page || page.has('Kids')) return undefined;
  }
  return references;
}
