/** Reduces the widths of a composite font to the glyphs that are shown (ISO 32000-1, section 9.7.4.3). */
import type { PdfValue } from '../objects.ts';
import type { Draft } from './draft.ts';

/** The widths of the CIDs from `first` to `last`: one for each, or one for all. */
interface Range {
  first: number;
  last: number;
  widths: number[];
}

/**
 * Returns the value of `W` for these CIDs. Returns undefined if the entry is missing or malformed, if its ranges
 * overlap, or if it would not become shorter.
 */
export function smallerWidths(
  draft: Draft,
  value: PdfValue | undefined,
  cids: ReadonlySet<number>,
): PdfValue[] | undefined {
  const items = draft.array(value);
  const ranges = items && rangesOf(draft, items);
  if (!ranges) return undefined;
  const result: PdfValue[] = [];
  let [at, previous, numbers] = [0, -2, 0];
  let group: number[] = [];
  for (const cid of [...cids].sort((a, b) => a - b)) {
    while (at < ranges.length && ranges[at]!.last < cid) at += 1;
    const range = ranges[at];
    if (!range || range.first > cid) continue;
    if (cid !== previous + 1) {
      group = [];
      result.push(cid, group);
      numbers += 1;
    }
    group.push(range.widths[cid - range.first] ?? range.widths[0]!);
    numbers += 1;
    previous = cid;
  }
  const before = ranges.reduce((sum, { widths }) => sum + widths.length + 1, 0);
  return numbers < before ? result : undefined;
}

/** Returns the ranges in ascending order, or undefined if they are malformed or overlap. */
function rangesOf(draft: Draft, items: readonly PdfValue[]): Range[] | undefined {
  const ranges: Range[] = [];
  for (let at = 0; at < items.length; ) {
    const first = draft.number(items[at]);
    const list = draft.array(items[at + 1]);
    const last = list ? (first ?? 0) + list.length - 1 : draft.number(items[at + 1]);
    const given = list ?? [items[at + 2] ?? null];
    const widths = draft.numbers(given, given.length);
    if (first === undefined || last === undefined || !widths) return undefined;
    if (last >= first) ranges.push({ first, last, widths });
    at += list ? 2 : 3;
  }
  ranges.sort((left, right) => left.first - right.first);
  const isApart = ({ first }: Range, at: number) => at === 0 || ranges[at - 1]!.last < first;
  return ranges.every(isApart) ? ranges : undefined;
}
