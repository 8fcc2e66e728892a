/** Builds the rows that the view of compare_text shows, with the words that differ. */
import { diffWordsWithSpace } from 'diff';
import type { Change } from './difference.ts';

/** A part of a line. `isChanged` is set if the other line does not have this part. */
export interface Part {
  text: string;
  isChanged: boolean;
}

export interface Line {
  /** The line number, from 1. */
  number: number;
  parts: Part[];
}

export interface Row {
  change: Change['change'] | 'same';
  before: Line | null;
  after: Line | null;
  /** Whether the lines between the previous row and this one are hidden. */
  isAfterGap: boolean;
}

const MAX_ROWS = 2000;
/** The limits for marking individual words. Longer lines, and lines with more edits, are marked as a whole. */
const MAX_CHARACTERS = 5000;
const MAX_EDITS = 200;
/**
 * The minimum share of equal text, apart from white space, for marking individual words. With a smaller share, almost
 * all words would be marked.
 */
const MIN_COMMON = 0.3;

/**
 * Returns rows for the changes, and for the context lines of the unified diff. These are lines of the first text.
 * `text2` has the corresponding lines of the second text, which differ if case or whitespace is ignored.
 */
export function rowsOf(
  changes: readonly Change[],
  unified = '',
  text2?: string,
): { rows: Row[]; isCut: boolean } {
  const changed = new Set(changes.map(({ beforeLine }) => beforeLine));
  const context = contextOf(unified, changed, text2?.split(/\r?\n/));
  const rows: Row[] = [];
  let [i, j] = [0, 0];
  while (rows.length < MAX_ROWS && (i < changes.length || j < context.length)) {
    const change = changes[i];
    const same = context[j];
    if (change && (!same || precedes(change, same))) {
      rows.push(changedRow(change));
      i++;
    } else {
      rows.push(same!);
      j++;
    }
  }
  for (const [index, row] of rows.entries()) row.isAfterGap = isApart(rows[index - 1], row);
  return { rows, isCut: i < changes.length };
}

const precedes = ({ beforeLine, afterLine }: Change, same: Row) =>
  beforeLine == null ? afterLine! < same.after!.number : beforeLine < same.before!.number;

/** Whether lines between the rows are hidden. Compares the line numbers in a text that has a line in both rows. */
function isApart(previous: Row | undefined, row: Row): boolean {
  if (!previous) return (row.after ?? row.before)!.number > 1;
  const skips = (side: 'before' | 'after') =>
    previous[side] && row[side] ? row[side].number > previous[side].number + 1 : undefined;
  return skips('after') ?? skips('before') ?? false;
}

/**
 * Returns the lines of a unified diff that are not among the changes, such as lines that differ only in their line
 * breaks.
 */
function contextOf(
  unified: string,
  changed: ReadonlySet<Change['beforeLine']>,
  lines: readonly string[] = [],
): Row[] {
  const rows: Row[] = [];
  let [before, after] = [0, 0];
  for (const line of unified.split('\n').slice(2)) {
    const start = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line);
    if (start) {
      [before, after] = [Number(start[1]), Number(start[2])];
      continue;
    }
    if (line[0] === ' ' || (line[0] === '-' && !changed.has(before))) {
      const text = line.slice(1);
      rows.push({
        change: 'same',
        before: unchanged(before, text),
        after: unchanged(after, lines[after - 1] ?? text),
        isAfterGap: false,
      });
    }
    if (line[0] === ' ' || line[0] === '-') before++;
    if (line[0] === ' ' || line[0] === '+') after++;
  }
  return rows;
}

const unchanged = (number: number, text: string): Line => ({
  number,
  parts: [{ text, isChanged: false }],
});

function changedRow({ change, line, before, after, beforeLine, afterLine }: Change): Row {
  const [left, right] = wordsOf(before, after);
  return {
    change,
    before: left && { number: beforeLine ?? line, parts: left },
    after: right && { number: afterLine ?? line, parts: right },
    isAfterGap: false,
  };
}

/** Splits both lines into equal and changed parts. */
function wordsOf(before: string | null, after: string | null): [Part[] | null, Part[] | null] {
  const whole = (text: string | null) => (text === null ? null : [{ text, isChanged: false }]);
  if (before === null || after === null || before.length + after.length > MAX_CHARACTERS)
    return [whole(before), whole(after)];
  const runs = diffWordsWithSpace(before, after, { maxEditLength: MAX_EDITS });
  const common = (runs ?? []).filter(({ added, removed }) => !added && !removed);
  const length = common.reduce((sum, { value }) => sum + visibleLength(value), 0);
  if (!runs || length < MIN_COMMON * Math.max(visibleLength(before), visibleLength(after)))
    return [whole(before), whole(after)];
  const side = (other: 'added' | 'removed', own: 'added' | 'removed') =>
    runs.filter((run) => !run[other]).map((run) => ({ text: run.value, isChanged: run[own] }));
  return [side('added', 'removed'), side('removed', 'added')];
}

const visibleLength = (text: string): number => text.replace(/\s/g, '').length;
