/** Writes differing blocks as a unified diff, which `patch` and `git apply` accept. */
import type { Block } from './align.ts';

const CONTEXT_LINES = 3;

/** A line of the diff, with the number of lines that precede it in each text. */
interface Edit {
  sign: ' ' | '-' | '+';
  line: string;
  before: number;
  after: number;
}

/**
 * Returns the unified diff of two texts, or an empty string if they are equal. Each text is split at LF, so its last
 * line is empty if the text ends with LF.
 */
export function unifiedDiff(
  before: readonly string[],
  after: readonly string[],
  blocks: readonly Block[],
): string {
  const edits = editsOf(before, after, blocks);
  const hunks: string[] = [];
  let from = 0;
  let to = 0;
  const finish = () => {
    if (to > from) hunks.push(hunk(edits.slice(from, to)));
  };
  for (const [index, { sign }] of edits.entries()) {
    if (sign === ' ') continue;
    const start = Math.max(0, index - CONTEXT_LINES);
    if (start > to || to === 0) {
      finish();
      from = start;
    }
    to = Math.min(edits.length, index + 1 + CONTEXT_LINES);
  }
  finish();
  return hunks.length === 0 ? '' : `--- text1\n+++ text2\n${hunks.join('')}`;
}

/** Returns every line of both texts. In a block, the removed lines come first. */
function editsOf(
  before: readonly string[],
  after: readonly string[],
  blocks: readonly Block[],
): Edit[] {
  const edits: Edit[] = [];
  const [left, right] = [asFile(before), asFile(after)];
  let [i, j] = [0, 0];
  const add = (sign: Edit['sign'], line: string | undefined) => {
    if (line !== undefined) edits.push({ sign, line, before: i, after: j });
  };
  const replaceUntil = (beforeTo: number, afterTo: number) => {
    for (; i < beforeTo; i++) add('-', left(i));
    for (; j < afterTo; j++) add('+', right(j));
  };
  const end = { beforeFrom: before.length, beforeTo: 0, afterFrom: after.length, afterTo: 0 };
  for (const { beforeFrom, beforeTo, afterFrom, afterTo } of [...blocks, end]) {
    while (i < beforeFrom && j < afterFrom) {
      // The last line of a text has no line break. Equal lines therefore differ if only one of them is the last line.
      if (isLast(before, i) === isLast(after, j)) {
        add(' ', left(i));
        i++;
        j++;
      } else {
        replaceUntil(i + 1, j + 1);
      }
    }
    replaceUntil(beforeTo, afterTo);
  }
  return edits;
}

const isLast = (lines: readonly string[], index: number) => index === lines.length - 1;

/**
 * Returns a function that formats the line at an index for a diff. The formatted line ends with its line break, or with
 * the marker for a missing line break.
 */
const asFile =
  (lines: readonly string[]) =>
  (index: number): string | undefined => {
    const line = lines[index] as string;
    if (!isLast(lines, index)) return `${line}\n`;
    return line === '' ? undefined : `${line}\n\\ No newline at end of file\n`;
  };

function hunk(edits: readonly Edit[]): string {
  const { before, after } = edits[0] as Edit;
  const removed = edits.filter(({ sign }) => sign !== '+').length;
  const added = edits.filter(({ sign }) => sign !== '-').length;
  const lines = edits.map(({ sign, line }) => sign + line).join('');
  return `@@ -${span(before, removed)} +${span(after, added)} @@\n${lines}`;
}

/**
 * Formats a span as the number of its first line, counted from 1, and its number of lines. For an empty span, the first
 * number is that of the preceding line.
 */
const span = (skipped: number, count: number) => {
  const start = count === 0 ? skipped : skipped + 1;
  return count === 1 ? `${start}` : `${start},${count}`;
};
