/**
 * Removes references to other pages from the actions of retained pages (ISO 32000-1, section 12.6). Such references
 * point to fields, annotations and threads.
 */
import type { IncrementalUpdate } from './incremental-update.ts';
import {
  isDictionary,
  isNamed,
  type PdfDictionary,
  PdfReference,
  type PdfValue,
} from './objects.ts';

/** The maximum length of a chain of actions. Real chains are shorter. */
const MAX_DEPTH = 100;
const MAX_OBJECTS = 500_000;

/** The keys under which annotations, fields, pages and the catalog store actions. */
const ACTIONS = ['A', 'AA', 'PA', 'OpenAction'];

export class ActionPruner {
  private readonly update: IncrementalUpdate;
  private readonly isPage: (number: number) => boolean;
  private readonly isRetained: (number: number) => boolean;
  private readonly seen = new Set<number>();

  /** @param isRetained whether this is the object number of an annotation or field of the retained pages */
  constructor(
    update: IncrementalUpdate,
    isPage: (number: number) => boolean,
    isRetained: (number: number) => boolean,
  ) {
    this.update = update;
    this.isPage = isPage;
    this.isRetained = isRetained;
  }

  /** Returns the dictionary without actions that refer to other pages. Returns the same object if it has none. */
  pruned(owner: PdfDictionary): PdfDictionary {
    let result = owner;
    for (const key of ACTIONS) {
      const value = owner.get(key);
      const cut = value === undefined ? value : this.cut(value, 0);
      if (cut === value) continue;
      if (result === owner) result = new Map(owner);
      if (cut === undefined) result.delete(key);
      else result.set(key, cut);
    }
    return result;
  }

  /**
   * Returns the value without references to other pages. Returns the same object if it has none, and undefined if the
   * value itself belongs to another page.
   */
  private cut(value: PdfValue, depth: number): PdfValue | undefined {
    if (value instanceof PdfReference) return this.cutReference(value, depth);
    if (Array.isArray(value)) {
      const items = value.map((item) => this.cut(item, depth));
      if (items.every((item, index) => item === value[index])) return value;
      return items.filter((item) => item !== undefined);
    }
    return isDictionary(value) ? this.cutDictionary(value, depth) : value;
  }

  private cutReference(reference: PdfReference, depth: number): PdfReference | undefined {
    const { number } = reference;
    // A reference to a page that is dropped resolves to null. The destination remains but points to no page.
    if (this.isPage(number) || this.isRetained(number) || this.seen.has(number)) return reference;
    const value = this.update.current(reference);
    if (isDictionary(value) && isOfPage(value)) return undefined;
    if (depth > MAX_DEPTH || this.seen.size > MAX_OBJECTS) return undefined;
    this.seen.add(number);
    const cut = this.cut(value, depth + 1);
    if (cut !== undefined && cut !== value) this.update.set(reference, cut);
    return reference;
  }

  private cutDictionary(value: PdfDictionary, depth: number): PdfDictionary {
    let result = value;
    for (const [key, entry] of value) {
      const cut = leadsElsewhere(value, key) ? undefined : this.cut(entry, depth);
      if (cut === entry) continue;
      if (result === value) result = new Map(value);
      if (cut === undefined) result.delete(key);
      else result.set(key, cut);
    }
    return result;
  }
}

/** Whether the dictionary is an annotation or a field. */
const isOfPage = (value: PdfDictionary): boolean =>
  (value.has('Subtype') && value.has('Rect')) ||
  value.has('FT') ||
  (value.has('T') && (value.has('Kids') || value.has('Parent')));

/**
 * Whether an entry is always removed. Threads belong to the whole document, and an SD entry is a structure destination
 * (ISO 32000-2, section 12.3.2.3) in addition to the destination of the action.
 */
const leadsElsewhere = (action: PdfDictionary, key: string): boolean =>
  key === 'SD' || ((key === 'D' || key === 'B') && isNamed(action.get('S'), 'Thread'));
