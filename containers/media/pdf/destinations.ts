/** Resolves the explicit and named destinations of links and bookmarks (ISO 32000-1, section 12.3.2). */
import { byteKey } from './byte-key.ts';
import type { PdfDocument } from './document.ts';
import { isDictionary, PdfName, PdfReference, PdfString, type PdfValue } from './objects.ts';
import type { Pages } from './pages.ts';
import { readNameTree } from './trees.ts';

/** The maximum number of items after the page. The longest form, `/FitR`, has five. */
const MAX_VIEW_ITEMS = 6;

export interface Destination {
  /** The index of an existing page, from 0. */
  pageIndex: number;
  /** The items after the page, such as `[/XYZ 72 700 null]`. They are numbers, names and nulls, never references. */
  view: PdfValue[];
}

/** Resolves the destinations of one document. The name tree is read on first use. */
export class Destinations {
  private readonly document: PdfDocument;
  private readonly pages: Pages;
  private tree: Map<string, PdfValue> | undefined;

  constructor(document: PdfDocument, pages: Pages) {
    this.document = document;
    this.pages = pages;
  }

  /** Resolves a destination in any form. Returns undefined if the destination points to no page of this document. */
  resolve(value: PdfValue | undefined): Destination | undefined {
    const target = this.document.resolve(value);
    if (target instanceof PdfString) return this.explicit(this.named(byteKey(target.bytes)));
    if (target instanceof PdfName) return this.explicit(this.fromOldDictionary(target.value));
    return this.explicit(target);
  }

  /** Resolves `[page /Fit …]`, or a dictionary whose D entry is such an array (section 12.3.2.3). */
  explicit(value: PdfValue | undefined): Destination | undefined {
    const resolved = this.document.resolve(value);
    const inner = isDictionary(resolved) ? this.document.resolve(resolved.get('D')) : resolved;
    if (!Array.isArray(inner)) return undefined;
    const pageIndex = this.pageIndex(inner[0]);
    if (pageIndex === undefined) return undefined;
    const view = inner.slice(1, MAX_VIEW_ITEMS + 1).map((item) => {
      const simple = this.document.resolve(item);
      return typeof simple === 'number' || simple instanceof PdfName ? simple : null;
    });
    return { pageIndex, view: view.length > 0 ? view : [new PdfName('Fit')] };
  }

  /**
   * Returns the index of a page. Section 12.3.2.2 requires a reference to the page, but many programs write a page
   * number instead, which readers accept.
   */
  private pageIndex(page: PdfValue | undefined): number | undefined {
    if (page instanceof PdfReference) return this.pages.indexOf.get(page.number);
    const exists = typeof page === 'number' && this.pages.list[page] !== undefined;
    return exists ? page : undefined;
  }

  private named(key: string): PdfValue | undefined {
    if (!this.tree) {
      this.tree = new Map();
      const names = this.document.dictionary(this.document.catalog.dictionary.get('Names'));
      for (const pair of readNameTree(this.document, names?.get('Dests'))) {
        const text = byteKey(pair.key);
        if (!this.tree.has(text)) this.tree.set(text, pair.value);
      }
    }
    return this.tree.get(key) ?? this.fromOldDictionary(key);
  }

  /** Returns a value from the Dests dictionary of PDF 1.1 (section 12.3.2.3). */
  private fromOldDictionary(key: string): PdfValue | undefined {
    const old = this.document.dictionary(this.document.catalog.dictionary.get('Dests'));
    return old?.get(key);
  }
}

/**
 * Returns the target of a link annotation (section 12.5.6.5) or outline item (section 12.3.3), from its `Dest` entry or
 * its go-to action. Returns undefined if it has neither.
 */
export function destinationOf(
  document: PdfDocument,
  holder: Map<string, PdfValue>,
): { value: PdfValue; inAction: boolean } | undefined {
  const direct = holder.get('Dest');
  if (direct !== undefined && document.resolve(direct) !== null) {
    return { value: direct, inAction: false };
  }
  const action = document.dictionary(holder.get('A'));
  if (!action || !document.isNamed(action.get('S'), 'GoTo')) return undefined;
  const value = action.get('D');
  return value === undefined ? undefined : { value, inAction: true };
}
