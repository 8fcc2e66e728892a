/** Transfers page labels to a file that contains only some pages of a document (ISO 32000-1, section 12.4.2). */
import type { PdfDocument } from './document.ts';
import { dictionary, type PdfDictionary, type PdfValue } from './objects.ts';
import { readNumberTree } from './trees.ts';

/**
 * Returns a number tree with the labels of the pages with these indexes, from 0. Returns undefined if the document has
 * no labels.
 */
export type LabelsOf = (indexes: readonly number[]) => PdfDictionary | undefined;

export function pageLabels(document: PdfDocument): LabelsOf {
  const tree = readNumberTree(document, document.catalog.dictionary.get('PageLabels'));
  const starts = [...tree]
    .map(([first, value]) => ({ first, label: document.dictionary(value) }))
    .sort((left, right) => left.first - right.first);
  return (indexes) => {
    if (starts.length === 0) return undefined;
    const items: PdfValue[] = [];
    let before: { first: number; index: number } | undefined;
    for (const [position, index] of indexes.entries()) {
      const start = starts.findLast(({ first }) => first <= index) ?? {
        first: -1,
        label: undefined,
      };
      const continues = before?.first === start.first && before.index + 1 === index;
      before = { first: start.first, index };
      if (continues) continue;
      const number = document.resolve(start.label?.get('St') ?? 1);
      const label = new Map(start.label);
      if (start.label && typeof number === 'number') label.set('St', number + index - start.first);
      items.push(position, label);
    }
    return dictionary({ Nums: items });
  };
}
