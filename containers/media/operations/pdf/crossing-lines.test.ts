import { describe, expect, it } from 'vitest';
import type { Box } from '../../pdf/page-space.ts';
import { horizontalLines, isCrossed } from './crossing-lines.ts';
import { untaggedBlocks } from './page-blocks.ts';
import { wordAt } from './test-words.ts';

const line = (left: number, right: number, y: number): Box => ({ left, right, top: y, bottom: y });

it('horizontalLines joins the parts of a line', () => {
  const lines = [line(50, 90, 10), line(0, 50, 10), line(0, 50, 20), line(60, 90, 20)];
  expect(horizontalLines([...lines, { left: 5, right: 5, top: 0, bottom: 40 }])).toMatchObject([
    line(0, 90, 10),
    line(0, 50, 20),
    line(60, 90, 20),
  ]);
});

it('isCrossed requires three lines across the table', () => {
  const table = { left: 0, right: 100, top: 0, bottom: 40 };
  const lines = [line(0, 100, 10), line(2, 98, 20), line(-9, 120, 30)];
  expect(isCrossed(table, lines)).toBe(true);
  expect(isCrossed(table, lines.slice(1))).toBe(false);
  expect(isCrossed({ ...table, right: 130 }, lines)).toBe(false);
});

it('untaggedBlocks finds a table whose lines belong together, in the order of its columns', () => {
  const texts = [
    ['A', 'B', 'C'],
    ['1', 'alpha', 'x'],
    ['2', 'beta', 'y'],
  ];
  const column = (at: number) =>
    texts.map((row, index) => wordAt(row[at]!, at * 200, index * 16, 5 * row[at]!.length));
  const list = ['One', 'Two', 'Three', 'Four'].map((text, at) => wordAt(text, 0, 48 + at * 12, 20));
  const words = [...column(0), ...column(1), ...list, ...column(2)];
  const lines = [line(0, 420, 13), line(0, 420, 29), line(0, 420, 45)];
  const rowsOf = (rules: readonly Box[]) =>
    untaggedBlocks(words, rules).flatMap(({ rows }) => (rows ? [rows] : []));
  expect(rowsOf(lines)).toEqual([texts]);
});

describe('untaggedBlocks', () => {
  const words = [wordAt('Last', 0, 0, 20), wordAt('name', 23, 0, 20), wordAt('Phone', 0, 13, 25)];
  const blocksWith = (...rules: Box[]) => untaggedBlocks(words, rules).length;

  it('begins a paragraph below a line, as in a form', () => {
    expect(blocksWith()).toBe(1);
    expect(blocksWith(line(0, 200, 11))).toBe(2);
  });

  it('does not begin one below an underlined text or within a fraction', () => {
    expect(blocksWith(line(0, 43, 9))).toBe(1);
    expect(blocksWith(line(-5, 60, 11))).toBe(1);
  });
});
