/**
 * Detects whether pages share dictionaries of fonts and images. Such pages may refer to resources that only other pages
 * show.
 */
import type { PdfDocument } from './document.ts';
import {
  isDictionary,
  type PdfDictionary,
  PdfReference,
  PdfStream,
  type PdfValue,
} from './objects.ts';
import type { Pages } from './pages.ts';

/**
 * Whether an extracted page could include content that the page does not show. Forms are searched too, because they may
 * share resources with pages.
 */
export function sharesResources(document: PdfDocument, pages: Pages): boolean {
  const search = new Search(document);
  return pages.list.some(({ dictionary, inherited }) =>
    search.visitAgain(dictionary.get('Resources') ?? inherited.get('Resources')),
  );
}

class Search {
  private readonly document: PdfDocument;
  /**
   * The visited dictionaries, compared by identity. Each reference is resolved once, and pages that inherit an entry
   * share the same value.
   */
  private readonly visited = new Set<PdfDictionary>();
  private readonly drawings = new Set<number>();

  constructor(document: PdfDocument) {
    this.document = document;
  }

  /**
   * Marks these resources as visited. Returns whether any of them, or of the resources of forms in them, had been
   * visited before.
   */
  visitAgain(value: PdfValue | undefined): boolean {
    const waiting = [value];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const resources = this.document.dictionary(next);
      if (!resources) continue;
      const drawn = this.document.dictionary(resources.get('XObject')) ?? new Map();
      const fonts = this.document.dictionary(resources.get('Font')) ?? new Map();
      // A shared dictionary with only one font is ignored, because each of its pages probably uses that font.
      if (drawn.size > 0 && this.isVisited(drawn)) return true;
      if (fonts.size > 1 && this.isVisited(fonts)) return true;
      for (const drawing of drawn.values()) waiting.push(this.resourcesOf(drawing));
    }
    return false;
  }

  private isVisited(dictionary: PdfDictionary): boolean {
    if (this.visited.has(dictionary)) return true;
    this.visited.add(dictionary);
    return false;
  }

  /** Returns the resources of a form. Returns null for other objects, and for a form that has already been searched. */
  private resourcesOf(drawing: PdfValue): PdfValue {
    if (!(drawing instanceof PdfReference) || this.drawings.has(drawing.number)) return null;
    this.drawings.add(drawing.number);
    const stream = this.document.resolve(drawing);
    if (!(stream instanceof PdfStream)) return null;
    const isForm = this.document.isNamed(stream.dictionary.get('Subtype'), 'Form');
    const resources = isForm ? stream.dictionary.get('Resources') : null;
    return isDictionary(resources) || resources instanceof PdfReference ? resources : null;
  }
}
