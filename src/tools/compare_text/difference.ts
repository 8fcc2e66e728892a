/**
 * Computes the difference of two texts whose lines are aligned. This module is pure, so that browsers can run it too.
 */
import { badRequest } from '../../core/errors.ts';
import { alignLines, type Block } from './align.ts';
import { LinePairing } from './pair-lines.ts';
import { unifiedDiff } from './unified.ts';

/** The maximum number of lines. An isolate's memory cannot hold many more lines together with their alignment. */
const MAX_LINES = 100_000;

export interface Change {
  /** The line number, from 1. If lines are aligned, it is the number in text2, or in text1 for a removed line. */
  line: number;
  change: 'added' | 'removed' | 'modified';
  /** The line in text1, or null if it is only in text2. */
  before: string | null;
  /** The line in text2, or null if it is only in text1. */
  after: string | null;
  /** The numbers of the line in text1 and text2. Set only if lines are aligned. */
  beforeLine?: number | null;
  afterLine?: number | null;
}

/** Returns the text by which a line is compared. */
export type KeyOf = (line: string) => string;

export const asWritten: KeyOf = (line) => line;

/**
 * Returns the result of compare_text in the mode `diff`. Lines with the same key are equal. Throws ToolError 400 if a
 * text has too many lines.
 */
export function differenceOf(text1: string, text2: string, keyOf: KeyOf = asWritten) {
  const [before, after] = [linesOf(text1, 'text1'), linesOf(text2, 'text2')];
  const [left, right] = [before.map(withoutCr), after.map(withoutCr)];
  const blocks = alignLines(left.map(keyOf), right.map(keyOf));
  const pairing = new LinePairing();
  const changes = blocks.flatMap((block) => changesOf(block, left, right, pairing));
  return {
    identical: changes.length === 0,
    linesCompared: Math.max(before.length, after.length),
    changeCount: changes.length,
    changes,
    unified: unifiedDiff(before, after, blocks),
  };
}

function linesOf(text: string, param: string): string[] {
  const lines = text.split('\n', MAX_LINES + 1);
  if (lines.length <= MAX_LINES) return lines;
  throw badRequest(
    `The text has more than ${MAX_LINES.toLocaleString('en')} lines, which is too many to align. Compare smaller parts, or use mode "position".`,
    param,
  );
}

/** Returns the line without the CR before its line feed. */
const withoutCr = (line: string, index: number, lines: readonly string[]) =>
  index < lines.length - 1 && line.endsWith('\r') ? line.slice(0, -1) : line;

/** Returns the removed and added lines of a block. A pair of a removed and an added line becomes one modified line. */
function changesOf(
  { beforeFrom, beforeTo, afterFrom, afterTo }: Block,
  left: readonly string[],
  right: readonly string[],
  pairing: LinePairing,
): Change[] {
  const pairs = pairing.pair(left.slice(beforeFrom, beforeTo), right.slice(afterFrom, afterTo));
  return pairs.map(([i, j]): Change => {
    const beforeLine = i === null ? null : beforeFrom + i + 1;
    const afterLine = j === null ? null : afterFrom + j + 1;
    return {
      line: (afterLine ?? beforeLine) as number,
      change: beforeLine === null ? 'added' : afterLine === null ? 'removed' : 'modified',
      before: beforeLine === null ? null : (left[beforeLine - 1] as string),
      after: afterLine === null ? null : (right[afterLine - 1] as string),
      beforeLine,
      afterLine,
    };
  });
}
