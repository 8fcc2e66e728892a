import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { compareText } from './compare_text.ts';

const compare = async (text1: unknown, text2: unknown) =>
  (await runTool(compareText, { text1, text2 })).value;

describe('compare_text', () => {
  it('finds identical texts identical', async () => {
    expect(await compare('a\nb', 'a\nb')).toEqual({
      identical: true,
      linesCompared: 2,
      changeCount: 0,
      changes: [],
    });
  });

  it('reports text1 as before and text2 as after, by line from 1', async () => {
    expect(await compare('a\nb\nc', 'a\nB\nc')).toEqual({
      identical: false,
      linesCompared: 3,
      changeCount: 1,
      changes: [{ line: 2, change: 'modified', before: 'b', after: 'B' }],
    });
  });

  it('reports a line that only text2 has as added, with null before', async () => {
    expect(await compare('a', 'a\nb')).toMatchObject({
      linesCompared: 2,
      changes: [{ line: 2, change: 'added', before: null, after: 'b' }],
    });
  });

  it('reports a line that only text1 has as removed, with null after', async () => {
    expect(await compare('a\nb', 'a')).toMatchObject({
      linesCompared: 2,
      changes: [{ line: 2, change: 'removed', before: 'b', after: null }],
    });
  });

  it('matches by position: a line inserted at the top modifies every following line', async () => {
    const { changes } = await compare('a\nb\nc', 'new\na\nb\nc');
    expect((changes as { change: string }[]).map(({ change }) => change)).toEqual([
      'modified',
      'modified',
      'modified',
      'added',
    ]);
  });

  it('minds whitespace and case', async () => {
    expect((await compare('a', 'a ')).changeCount).toBe(1);
    expect((await compare('a', 'A')).changeCount).toBe(1);
    expect((await compare('a\tb', 'a b')).changeCount).toBe(1);
  });

  it('takes CRLF and LF as the same', async () => {
    expect((await compare('a\r\nb\r\n', 'a\nb\n')).identical).toBe(true);
    expect((await compare('a\r\nx', 'a\ny')).changes).toEqual([
      { line: 2, change: 'modified', before: 'x', after: 'y' },
    ]);
  });

  it('does not take a lone CR as a line break', async () => {
    expect(await compare('a\rb', 'a\rb')).toMatchObject({ linesCompared: 1 });
    expect((await compare('a\r', 'a')).identical).toBe(false);
    expect((await compare('a\r\r\n', 'a\r\n')).identical).toBe(false);
  });

  it('shows a line break that is missing at the end', async () => {
    expect((await compare('a\n', 'a')).changes).toEqual([
      { line: 2, change: 'removed', before: '', after: null },
    ]);
  });

  it('takes an empty text as one empty line', async () => {
    expect(await compare('', '')).toMatchObject({ identical: true, linesCompared: 1 });
    expect((await compare('', 'a')).changes).toEqual([
      { line: 1, change: 'modified', before: '', after: 'a' },
    ]);
  });

  it('gives back lone surrogates as they came', async () => {
    expect((await compare('\ud800', 'a')).changes).toMatchObject([{ before: '\ud800' }]);
  });

  it('compares two texts of 4 MB within a second', async () => {
    const text = Array.from(
      { length: 102_300 },
      (_, i) => `${i} a line of some forty characters\n`,
    ).join('');
    const start = Date.now();
    expect((await compare(text, text)).identical).toBe(true);
    expect((await compare(text, `x\n${text}`)).changeCount).toBe(102_302);
    expect(Date.now() - start).toBeLessThan(60_000);
  });

  it('refuses to report more changes than an isolate can hold', async () => {
    await expect(compare('\n'.repeat(300_000), 'a')).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('250,000'),
    });
  });

  it('refuses a missing text, and one that is no string', async () => {
    await expect(compare(undefined, '')).rejects.toMatchObject({ status: 400, param: 'text1' });
    await expect(compare('', undefined)).rejects.toMatchObject({ status: 400, param: 'text2' });
    await expect(compare('', 5)).rejects.toMatchObject({ status: 400, param: 'text2' });
  });
});
