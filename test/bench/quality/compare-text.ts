/** Compares compare_text in mode `diff` with git. Counts the changed lines in the commits of this repository. */
import { execFileSync } from 'node:child_process';
import { differenceOf } from '../../../src/tools/compare_text/difference.ts';
import { atMost, type Row } from '../row.ts';

/** The number of the latest commits. With 25 of them, a single rewritten file decided the ratio. */
const COMMITS = 150;
const MAX_RATIO = 1.02;

const git = (...parameters: string[]): string =>
  execFileSync('git', parameters, { encoding: 'utf8', maxBuffer: 2 ** 28 });

export async function compareTextRows(): Promise<Row[]> {
  let [ours, theirs, byPosition] = [0, 0, 0];
  const list = git('log', '--no-merges', '--format=%H', `-${COMMITS}`).trim().split('\n');
  for (const commit of list) {
    const files = git(
      ...['diff-tree', '--no-commit-id', '--name-only', '--no-renames', '-r'],
      ...['--diff-filter=M', commit],
    );
    for (const file of files.split('\n').filter(Boolean)) {
      const patch = git('diff', '-U0', '--no-renames', `${commit}^`, commit, '--', file);
      if (/^Binary files /m.test(patch)) continue;
      theirs += changedLines(patch);
      const before = git('show', `${commit}^:${file}`);
      const after = git('show', `${commit}:${file}`);
      ours += differenceOf(before, after).changeCount;
      byPosition += differingPositions(before.split('\n'), after.split('\n'));
    }
  }
  return [
    atMost(
      `compare_text, lines of ${list.length} commits / git diff`,
      ours,
      theirs,
      MAX_RATIO,
      'changes',
    ),
    atMost(
      'the same by position / git diff',
      byPosition,
      theirs,
      Number.POSITIVE_INFINITY,
      'changes',
    ),
  ];
}

/**
 * Counts the changed lines of a diff without context. A removed line and an added line of the same hunk count as one.
 */
function changedLines(patch: string): number {
  let sum = 0;
  for (const [, removed = '1', added = '1'] of patch.matchAll(
    /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/gm,
  )) {
    sum += Math.max(Number(removed), Number(added));
  }
  return sum;
}

const differingPositions = (before: readonly string[], after: readonly string[]): number =>
  Array.from({ length: Math.max(before.length, after.length) }).filter(
    (_, index) => before[index] !== after[index],
  ).length;
