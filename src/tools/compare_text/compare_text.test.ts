import { applyPatch } from 'diff';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { alignLines } from './align.ts';
import { compareText } from './compare_text.ts';
import type { differenceOf } from './difference.ts';
import { compareTextHere } from './in-browser.ts';

const compare = async (text1: unknown, text2: unknown) =>
  (await runTool(compareText, { text1, text2 })).value;

describe('compare_text', () => {
  it('returns no changes for identical texts', async () => {
    expect(await compare('a\nb', 'a\nb')).toEqual({
      identical: true,
      linesCompared: 2,
      changeCount: 0,
      changes: [],
    });
  });

  it('reports text1 as before and text2 as after, with lines numbered from 1', async () => {
    expect(await compare('a\nb\nc', 'a\nB\nc')).toEqual({
      identical: false,
      linesCompared: 3,
      changeCount: 1,
      changes: [{ line: 2, change: 'modified', before: 'b', after: 'B' }],
    });
  });

  it('reports a line that exists only in text2 as added, with before null', async () => {
    expect(await compare('a', 'a\nb')).toMatchObject({
      linesCompared: 2,
      changes: [{ line: 2, change: 'added', before: null, after: 'b' }],
    });
  });

  it('reports a line that exists only in text1 as removed, with after null', async () => {
    expect(await compare('a\nb', 'a')).toMatchObject({
      linesCompared: 2,
      changes: [{ line: 2, change: 'removed', before: 'b', after: null }],
    });
  });

  it('compares by position: a line inserted at the top modifies every following line', async () => {
    const { changes } = await compare('a\nb\nc', 'new\na\nb\nc');
    expect((changes as { change: string }[]).map(({ change }) => change)).toEqual([
      'modified',
      'modified',
      'modified',
      'added',
    ]);
  });

  it('is sensitive to whitespace and case', async () => {
    expect((await compare('a', 'a ')).changeCount).toBe(1);
    expect((await compare('a', 'A')).changeCount).toBe(1);
    expect((await compare('a\tb', 'a b')).changeCount).toBe(1);
  });

  it('treats CRLF and LF as equal', async () => {
    expect((await compare('a\r\nb\r\n', 'a\nb\n')).identical).toBe(true);
    expect((await compare('a\r\nx', 'a\ny')).changes).toEqual([
      { line: 2, change: 'modified', before: 'x', after: 'y' },
    ]);
  });

  it('does not treat a lone CR as a line break', async () => {
    expect(await compare('a\rb', 'a\rb')).toMatchObject({ linesCompared: 1 });
    expect((await compare('a\r', 'a')).identical).toBe(false);
    expect((await compare('a\r\r\n', 'a\r\n')).identical).toBe(false);
  });

  it('reports a missing line break at the end', async () => {
    expect((await compare('a\n', 'a')).changes).toEqual([
      { line: 2, change: 'removed', before: '', after: null },
    ]);
  });

  it('treats an empty text as one empty line', async () => {
    expect(await compare('', '')).toMatchObject({ identical: true, linesCompared: 1 });
    expect((await compare('', 'a')).changes).toEqual([
      { line: 1, change: 'modified', before: '', after: 'a' },
    ]);
  });

  it('returns lone surrogates unchanged', async () => {
    expect((await compare('\ud800', 'a')).changes).toMatchObject([{ before: '\ud800' }]);
  });

  it('compares two texts of 4 MB within a minute', async () => {
    const text = Array.from(
      { length: 102_300 },
      (_, i) => `${i} a line of some forty characters\n`,
    ).join('');
    const start = Date.now();
    expect((await compare(text, text)).identical).toBe(true);
    expect((await compare(text, `x\n${text}`)).changeCount).toBe(102_302);
    expect(Date.now() - start).toBeLessThan(60_000);
  });

  it('rejects texts with more changes than an isolate can hold', async () => {
    await expect(compare('\n'.repeat(300_000), 'a')).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('250,000'),
    });
  });

  it('rejects a missing or non-string text', async () => {
    await expect(compare(undefined, '')).rejects.toMatchObject({ status: 400, param: 'text1' });
    await expect(compare('', undefined)).rejects.toMatchObject({ status: 400, param: 'text2' });
    await expect(compare('', 5)).rejects.toMatchObject({ status: 400, param: 'text2' });
  });
});

const diff = async (text1: string, text2: string) =>
  (await runTool(compareText, { text1, text2, mode: 'diff' })).value as unknown as ReturnType<
    typeof differenceOf
  >;

describe('compare_text with mode diff', () => {
  it('reports only the line inserted at the top', async () => {
    expect(await diff('a\nb\nc', 'new\na\nb\nc')).toEqual({
      identical: false,
      linesCompared: 4,
      changeCount: 1,
      changes: [
        { line: 1, change: 'added', before: null, after: 'new', beforeLine: null, afterLine: 1 },
      ],
      unified:
        '--- text1\n+++ text2\n@@ -1,3 +1,4 @@\n+new\n a\n b\n c\n\\ No newline at end of file\n',
    });
  });

  it('aligns more equal lines between two anchors than a function accepts arguments', () => {
    const moved = Array.from({ length: 1500 }, (_, line) => `m${line}`);
    const equal: string[] = Array(200_000).fill('a');
    const before = [...moved, 'anchor', ...equal, 'p', 'q'];
    const after = [...moved.toReversed(), 'anchor', ...equal, 'q', 'p'];
    const differing = alignLines(before, after).map((block) => block.beforeFrom);
    expect(differing.filter((line) => before[line] === 'a')).toEqual([]);
  });

  it('pairs the lines of a block as modified and numbers them in both texts', async () => {
    const { changes } = await diff('x\na\nb\ny\n', 'a2\nb2\nc2\ny\n');
    expect(changes).toMatchObject([
      { change: 'modified', before: 'x', after: 'a2', beforeLine: 1, afterLine: 1 },
      { change: 'modified', before: 'a', after: 'b2', beforeLine: 2, afterLine: 2 },
      { change: 'modified', before: 'b', after: 'c2', beforeLine: 3, afterLine: 3 },
    ]);
    expect((await diff('a\nb\nc', 'b\nc')).changes).toMatchObject([
      { line: 1, change: 'removed', beforeLine: 1, afterLine: null },
    ]);
  });

  it('returns an empty unified diff for equal texts and treats CRLF as LF', async () => {
    for (const [text1, text2] of [
      ['', ''],
      ['a\nb', 'a\nb'],
      ['a\r\nb\r\n', 'a\nb\n'],
    ] as const) {
      expect(await diff(text1, text2)).toMatchObject({ identical: true, changes: [], unified: '' });
    }
  });

  it('returns a unified diff that turns text1 into text2 for any texts', async () => {
    const line = fc.constantFrom('a', 'b', 'c', 'd', '', ' ', '-', '+x', 'a\r');
    const text = fc
      .tuple(fc.array(line, { maxLength: 25 }), fc.boolean())
      .map(([lines, ends]) => lines.join('\n') + (ends ? '\n' : ''));
    await fc.assert(
      fc.asyncProperty(text, text, async (text1, text2) => {
        // The library that applies the diff treats an empty text as one empty line, so empty texts are skipped.
        fc.pre(text1 !== '');
        const { unified, identical } = await diff(text1, text2);
        // CRLF and LF count as equal, so the patched text can contain either.
        const plain = (given: string) => given.replaceAll('\r\n', '\n');
        expect(plain(applyPatch(text1, unified) as string)).toBe(plain(text2));
        expect(identical).toBe(plain(text1) === plain(text2));
      }),
      { numRuns: 500 },
    );
  });

  it('numbers an empty span by the line before it', async () => {
    expect((await diff('', 'a\n')).unified).toBe('--- text1\n+++ text2\n@@ -0,0 +1 @@\n+a\n');
    expect((await diff('a\n', '')).unified).toBe('--- text1\n+++ text2\n@@ -1 +0,0 @@\n-a\n');
  });

  it('reports no more changed lines than a shortest alignment', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const changed = alignLines(before, after).reduce(
          (sum, block) => sum + block.beforeTo - block.beforeFrom + block.afterTo - block.afterFrom,
          0,
        );
        expect(changed).toBe(before.length + after.length - 2 * longestCommon(before, after));
      }),
      { numRuns: 500 },
    );
  });

  it('aligns 50,000 shuffled lines by their longest common sequence of unique lines', async () => {
    const lines = Array.from({ length: 50_000 }, (_, index) => `${index} a line`);
    // This permutation is deterministic. It contains every line, because 7 and the number of lines have no common
    // factor.
    const shuffled = lines.map((_, index) => lines[(index * 7) % lines.length] as string);
    const { changes, unified } = await diff(lines.join('\n'), shuffled.join('\n'));
    expect(changes.length).toBeGreaterThan(0);
    expect(changes.length).toBeLessThan(100_000);
    expect(applyPatch(lines.join('\n'), unified)).toBe(shuffled.join('\n'));
  });

  it('rejects more lines than an isolate can align and names the text', async () => {
    await expect(diff('a', '\n'.repeat(100_000))).rejects.toMatchObject({
      status: 400,
      param: 'text2',
      message: expect.stringContaining('100,000'),
    });
  });

  it('rejects an unknown mode', async () => {
    await expect(
      runTool(compareText, { text1: 'a', text2: 'b', mode: 'words' }),
    ).rejects.toMatchObject({ status: 400, param: 'mode' });
  });
});

describe('compare_text on its page', () => {
  const changesHere = async (parameters: Record<string, unknown>) =>
    (await runTool(compareTextHere, parameters)).value.changes;

  it.each(['diff', 'position'])('ignores case and whitespace in mode %s', async (mode) => {
    const texts = { text1: 'One  two\n\tthree\nfour', text2: 'one two\nthree\nfive', mode };
    const last = [expect.objectContaining({ line: 3, before: 'four', after: 'five' })];
    const ignored = { ignoreCase: true, ignoreWhitespace: true };
    expect(await changesHere({ ...texts, ...ignored })).toEqual(last);
    expect(await changesHere({ ...texts, ignoreWhitespace: true })).toHaveLength(2);
    expect(await changesHere({ ...texts, ignoreCase: true })).toHaveLength(3);
    expect(await changesHere(texts)).toHaveLength(3);
  });

  it('has options that have no effect in the API', async () => {
    const call = await runTool(compareText, { text1: 'a', text2: 'A', ignoreCase: true });
    expect(call.value.identical).toBe(false);
    expect(call.warnings.join()).toContain('ignoreCase');
  });
});

/** Returns the length of the longest common subsequence, computed with the textbook algorithm. */
function longestCommon(before: readonly string[], after: readonly string[]): number {
  let row = new Array<number>(after.length + 1).fill(0);
  for (const line of before) {
    const next = [0];
    for (const [j, other] of after.entries()) {
      next.push(line === other ? row[j]! + 1 : Math.max(row[j + 1]!, next[j]!));
    }
    row = next;
  }
  return row.at(-1)!;
}
