/** Reads name trees and number trees (ISO 32000-1, sections 7.9.6 and 7.9.7). Their nodes differ only in one key. */
import type { PdfDocument } from './document.ts';
import { PdfReference, PdfString, type PdfValue } from './objects.ts';

const MAX_PAIRS = 1_000_000;
const MAX_NODES = 200_000;

export interface NamedValue {
  key: Uint8Array;
  value: PdfValue;
}

/**
 * Returns all pairs of a name tree in order. Loops and nodes that are not dictionaries are skipped. Throws PdfDamage if
 * a node cannot be parsed.
 */
export function readNameTree(document: PdfDocument, root: PdfValue | undefined): NamedValue[] {
  return readTree(document, root, 'Names').flatMap(([key, value]) =>
    key instanceof PdfString ? [{ key: key.bytes, value }] : [],
  );
}

/** Returns all pairs of a number tree. Skips the same nodes as `readNameTree`, and throws the same errors. */
export function readNumberTree(
  document: PdfDocument,
  root: PdfValue | undefined,
): Map<number, PdfValue> {
  const pairs = new Map<number, PdfValue>();
  for (const [key, value] of readTree(document, root, 'Nums')) {
    if (typeof key === 'number') pairs.set(key, value);
  }
  return pairs;
}

function readTree(
  document: PdfDocument,
  root: PdfValue | undefined,
  pairsKey: 'Names' | 'Nums',
): [PdfValue, PdfValue][] {
  const pairs: [PdfValue, PdfValue][] = [];
  const seen = new Set<number>();
  const waiting: PdfValue[] = [root ?? null];
  let nodes = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    nodes += 1;
    if (nodes > MAX_NODES) break;
    if (next instanceof PdfReference) {
      if (seen.has(next.number)) continue;
      seen.add(next.number);
    }
    const node = document.dictionary(next);
    if (!node) continue;
    const items = document.array(node.get(pairsKey)) ?? [];
    for (let index = 0; index + 1 < items.length && pairs.length < MAX_PAIRS; index += 2) {
      pairs.push([document.resolve(items[index]), items[index + 1] ?? null]);
    }
    const listed = node.get('Kids');
    // Direct nodes in an indirect array that contains itself would be repeated until memory is exhausted.
    if (listed instanceof PdfReference) {
      if (seen.has(listed.number)) continue;
      seen.add(listed.number);
    }
    const kids = document.array(listed) ?? [];
    for (let index = kids.length - 1; index >= 0; index -= 1) waiting.push(kids[index] ?? null);
  }
  return pairs;
}
