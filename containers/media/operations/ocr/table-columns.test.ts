import { expect, it } from 'vitest';
import type { TextLine } from './hocr.ts';
import { withJoinedColumns } from './table-columns.ts';

/** Returns a line of words that are 100 pixels wide. */
function line(text: string, x: number, y: number): TextLine {
  const words = text.split(' ').map((word, at) => ({
    text: word,
    confidence: 1,
    isJoined: false,
    x: x + at * 110,
    y,
    width: 100,
    height: 30,
  }));
  const width = words.length * 110 - 10;
  const baseline = { angle: 0 as const, slope: 0, offset: 0, size: 30, descenders: 5 };
  return { x, y, width, height: 30, words, ...baseline };
}

const ITEMS = [
  line('Item', 100, 300),
  line('Blue widget', 100, 360),
  line('Green gadget', 100, 420),
];
const TOTAL = line('Total payable', 100, 560);
const BEFORE = 'Item\nBlue widget\nGreen gadget\n\nTotal payable';

it('adds columns of numbers to their rows', () => {
  const column = (x: number, texts: string[]) =>
    texts.map((text, at) => line(text, x, 302 + at * 60));
  const prices = column(900, ['Price', '€ 41.70', '108 kg']);
  const lines = [...ITEMS, TOTAL, ...column(700, ['Qty', '3', '12']), ...prices];
  expect(withJoinedColumns(`${BEFORE}\n\nQty\n3\n12\n\nPrice\n€ 41.70\n108 kg`, lines)).toBe(
    'Item Qty Price\nBlue widget 3 € 41.70\nGreen gadget 12 108 kg\n\nTotal payable',
  );
});

it('adds columns to their rows on a slanted page', () => {
  const slope = 0.03;
  const slanted = (lines: readonly TextLine[]) =>
    lines.map((one) => ({ ...one, slope, y: one.y + slope * (one.x + one.width / 2) }));
  const prices = [line('41.70', 1300, 360), line('108.00', 1300, 420)];
  const text = `${BEFORE}\n\n41.70\n108.00`;
  expect(withJoinedColumns(text, slanted([...ITEMS, TOTAL, ...prices]))).toBe(
    'Item\nBlue widget 41.70\nGreen gadget 108.00\n\nTotal payable',
  );
});

it('adds the paragraphs of one column to their rows', () => {
  const lines = [...ITEMS, TOTAL, line('3', 700, 362), line('12', 700, 422)];
  expect(withJoinedColumns(`${BEFORE}\n\n3\n\n12`, lines)).toBe(
    'Item\nBlue widget 3\nGreen gadget 12\n\nTotal payable',
  );
});

it.each([
  ['prose', ['in a column', 'of the page']],
  ['numbered lines', ['Date: 12 March', 'Number: 55']],
])('leaves %s beside other text', (_, [first = '', second = '']) => {
  const lines = [...ITEMS, TOTAL, line(first, 700, 300), line(second, 700, 360)];
  const text = `${BEFORE}\n\n${first}\n${second}`;
  expect(withJoinedColumns(text, lines)).toBe(text);
});

it('leaves numbers that have no row, and numbers below the text', () => {
  const away = [...ITEMS, TOTAL, line('3', 700, 300), line('12', 700, 495)];
  expect(withJoinedColumns(`${BEFORE}\n\n3\n12`, away)).toBe(`${BEFORE}\n\n3\n12`);
  const below = [...ITEMS, TOTAL, line('7', 700, 700)];
  expect(withJoinedColumns(`${BEFORE}\n\n7`, below)).toBe(`${BEFORE}\n\n7`);
});

it('leaves a text that has other lines than the page', () => {
  expect(withJoinedColumns(`${BEFORE}\n\n3`, ITEMS)).toBe(`${BEFORE}\n\n3`);
});
