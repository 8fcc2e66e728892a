/**
 * Tests the modules of parse_document on pages of so many words that quadratic work would not end, or would exhaust the
 * memory.
 */
import { describe, expect, it } from 'vitest';
import { withDistantLabels } from './distant-labels.ts';
import { linkWords } from './linked-words.ts';
import { markdown } from './markdown.ts';
import { taggedBlocks, untaggedBlocks } from './page-blocks.ts';
import { paragraphsOf } from './page-lines.ts';
import { linesOf } from './reading-order.ts';
import { runsOf } from './row-runs.ts';
import { cellTexts, gridIn, type Row } from './table-grid.ts';
import { findTables } from './tables.ts';
import { wordAt } from './test-words.ts';
import { readTypewritten } from './typewritten.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Returns a row with a word in each of these columns. */
function rowOf(row: number, columns: readonly number[]): Row {
  const cells = columns.map((column) => wordAt('a', column * 20, row * 12, 8));
  const { top, bottom, left } = cells[0]!;
  const { right } = cells.at(-1)!;
  return { left, right, top, bottom, cells: cells.map((word) => ({ ...word, words: [word] })) };
}

describe('pages of many words', () => {
  it('may be one paragraph of many lines', () => {
    const words = numbers(200_000).map((at) => wordAt('word', 0, at * 10.5, 50));
    expect(paragraphsOf(linesOf(words))).toHaveLength(1);
  });

  it('may be a line of many page numbers with leaders', () => {
    const words = numbers(100_000).map((at) =>
      wordAt(at % 2 === 0 ? '....' : '12', at * 60, 0, 20),
    );
    expect(withDistantLabels(linesOf(words))).toHaveLength(1);
  });

  it('may be a wide table whose rows mostly have one cell', () => {
    const [columns, rows] = [2400, 2400];
    const head = numbers(3 * columns).map((at) =>
      wordAt('a', (at % columns) * 20, Math.floor(at / columns) * 12, 8),
    );
    const body = numbers(rows).map((at) => wordAt('a', at * 20, (3 + at) * 12, 8));
    // A grid with all empty cells would be an array of more than five million arrays for each distance of rows.
    expect(findTables([...head, ...body]).map((table) => table.rows.length)).toEqual([3]);
  });

  it('may be typewritten words that are far apart', () => {
    const words = numbers(100_000).map((at) => ({
      ...wordAt('word', (at % 20) * 60, Math.floor(at / 20) * 30, 30),
      isMono: true,
    }));
    const blocks = untaggedBlocks(words);
    readTypewritten([blocks]);
    expect(new Set(blocks.map(({ type }) => type))).toEqual(new Set(['code']));
  });

  it('may have many links that are as high as the page', () => {
    const words = numbers(600_000).map((at) => wordAt('word', 100, at, 50));
    const box = { left: 0, top: 0, right: 1, bottom: 1e9 };
    const others = numbers(4999).map(() => ({ box, uri: 'https://example.com/other' }));
    const link = { box: { ...box, right: 200, bottom: 10 }, uri: 'https://example.com/' };
    linkWords(words, [...others, link]);
    expect(words.filter((one) => 'link' in one)).toHaveLength(6);
  });

  it('may have a link with a long address that covers many words', () => {
    const words = numbers(600_000).map((at) => wordAt('word', at * 30, 0, 20));
    const box = { left: 0, top: 0, right: 1e9, bottom: 10 };
    linkWords(words, [{ box, uri: `https://example.com/${'a'.repeat(1980)}` }]);
    const text = markdown(untaggedBlocks(words), 1);
    expect(text.length).toBeLessThan(600_000 * 5 + 3000);
    expect(text.slice(0, 500 * 5 - 1)).toBe(`[${'word '.repeat(500)}`.slice(0, 500 * 5 - 1));
  });

  it('may have many lines that are near to many layout elements', () => {
    const document = { type: 'Document', parent: undefined, kids: [] };
    const words = numbers(60_000).map((order) => {
      const element = { type: order % 3 === 2 ? 'P' : 'Div', parent: document, kids: [] };
      return { ...wordAt('word', (order % 1000) * 30, order / 10_000, 20), order, element };
    });
    const lines = numbers(3000).map((at) => ({
      left: at * 10,
      right: at * 10,
      top: 0,
      bottom: 100,
    }));
    expect(taggedBlocks(words, lines)).toHaveLength(60_000);
  });

  it('may be a table with many columns', () => {
    const rows = numbers(5).map((at) => rowOf(at, numbers(40_000)));
    const grid = gridIn(rows, rows)!;
    expect(cellTexts(rows, grid.columns).map((texts) => texts.length)).toEqual(
      rows.map(() => 40_000),
    );
  });

  it('may be many lines below many rows', () => {
    const count = 50_000;
    const full = numbers(count).map((at) => rowOf(at, [at, at + 1]));
    const lines = numbers(count).map((at) => rowOf(count + at, [count]));
    expect(runsOf([...full, ...lines], true).map((run) => run.length)).toEqual([count + 100]);
    // Rows of one cell at the end of a run are removed from it.
    expect(runsOf([...full, ...lines, ...full]).map((run) => run.length)).toEqual([count, count]);
  });
});
