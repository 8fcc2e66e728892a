/** Reads and prunes the document outline, which is the tree of bookmarks (ISO 32000-1, section 12.3.3). */
import { type Destination, type Destinations, destinationOf } from './destinations.ts';
import type { PdfDocument } from './document.ts';
import {
  isDictionary,
  type PdfDictionary,
  PdfName,
  PdfReference,
  PdfString,
  type PdfValue,
} from './objects.ts';

/** The maximum number of items. Outlines written by people are shorter. Additional items are dropped. */
const MAX_ITEMS = 250_000;
const MAX_DEPTH = 64;
const MAX_ACTION_VALUES = 200;
const MAX_ACTION_DEPTH = 8;

/** Actions that work in any file, because they refer to nothing in their document (section 12.6.4). */
const SELF_CONTAINED = new Set(['URI', 'GoToR', 'Launch', 'Named']);

export interface OutlineItem {
  title: PdfString;
  destination: Destination | undefined;
  /**
   * An action that refers to nothing in its document and has only direct values. An item with a destination has no
   * action.
   */
  action: PdfDictionary | undefined;
  /** Whether the children are initially visible, as determined by the sign of Count. */
  open: boolean;
  color: number[] | undefined;
  /** The style flags: 1 for italic and 2 for bold. */
  flags: number;
  children: OutlineItem[];
}

/** Returns the top-level items with their descendants. Loops are removed. */
export function readOutlines(document: PdfDocument, destinations: Destinations): OutlineItem[] {
  const root = document.dictionary(document.catalog.dictionary.get('Outlines'));
  if (!root) return [];
  const seen = new Set<number>();
  const items: OutlineItem[] = [];
  const waiting: { first: PdfValue | undefined; into: OutlineItem[]; depth: number }[] = [
    { first: root.get('First'), into: items, depth: 0 },
  ];
  for (let level = waiting.pop(); level; level = waiting.pop()) {
    let next = level.first;
    while (next instanceof PdfReference && !seen.has(next.number) && seen.size < MAX_ITEMS) {
      seen.add(next.number);
      const source = document.resolve(next);
      if (!isDictionary(source)) break;
      const item = readItem(document, destinations, source);
      level.into.push(item);
      if (source.has('First') && level.depth < MAX_DEPTH) {
        waiting.push({ first: source.get('First'), into: item.children, depth: level.depth + 1 });
      }
      next = source.get('Next');
    }
  }
  return items;
}

function readItem(
  document: PdfDocument,
  destinations: Destinations,
  source: PdfDictionary,
): OutlineItem {
  const title = document.resolve(source.get('Title'));
  const flags = document.number(source.get('F')) ?? 0;
  const target = destinationOf(document, source);
  const destination = target && destinations.resolve(target.value);
  return {
    title: title instanceof PdfString ? title : new PdfString(new Uint8Array()),
    destination,
    action: destination ? undefined : selfContainedAction(document, source.get('A')),
    open: (document.number(source.get('Count')) ?? 0) > 0,
    color: document.numbers(source.get('C'), 3),
    flags: Number.isInteger(flags) ? flags & 3 : 0,
    children: [],
  };
}

function selfContainedAction(
  document: PdfDocument,
  value: PdfValue | undefined,
): PdfDictionary | undefined {
  const action = document.dictionary(value);
  if (!action || !SELF_CONTAINED.has(document.name(action.get('S')) ?? '')) return undefined;
  const budget = { left: MAX_ACTION_VALUES };
  const copy = new Map(action);
  // The Next entry could refer to anything in the original document, so the chained actions are removed.
  copy.delete('Next');
  const direct = directCopy(document, copy, budget, 0);
  return isDictionary(direct) && budget.left >= 0 ? direct : undefined;
}

/** Returns a copy without references. Values beyond the budget or the maximum depth are null. */
function directCopy(
  document: PdfDocument,
  value: PdfValue,
  budget: { left: number },
  depth: number,
): PdfValue {
  budget.left -= 1;
  if (budget.left < 0 || depth > MAX_ACTION_DEPTH) return null;
  const resolved = document.resolve(value);
  if (Array.isArray(resolved)) {
    return resolved.map((item) => directCopy(document, item, budget, depth + 1));
  }
  if (isDictionary(resolved)) {
    const copy: PdfDictionary = new Map();
    for (const [key, item] of resolved) {
      copy.set(key, directCopy(document, item, budget, depth + 1));
    }
    return copy;
  }
  const simple =
    typeof resolved !== 'object' || resolved instanceof PdfName || resolved instanceof PdfString;
  return simple ? resolved : null;
}

/**
 * Returns the items whose page is retained, and their ancestors. An ancestor whose page is not retained points to the
 * first retained page below it. An item with an action instead of a page is retained only if one of its descendants is
 * retained.
 */
export function prunedOutlines(
  items: readonly OutlineItem[],
  isRetained: (pageIndex: number) => boolean,
): OutlineItem[] {
  const retained: OutlineItem[] = [];
  for (const item of items) {
    const children = prunedOutlines(item.children, isRetained);
    if (item.destination && isRetained(item.destination.pageIndex))
      retained.push({ ...item, children });
    else if (children.length > 0) {
      const destination = item.action ? undefined : firstDestination(children);
      retained.push({ ...item, destination, children });
    }
  }
  return retained;
}

function firstDestination(items: readonly OutlineItem[]): Destination | undefined {
  for (const item of items) {
    if (item.destination) return item.destination;
    const below = firstDestination(item.children);
    if (below) return below;
  }
  return undefined;
}
