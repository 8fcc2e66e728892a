import { describe, expect, it } from 'vitest';
import type { Word } from './bbox-words.ts';
import { isDrawnInOrder } from './reading-order.ts';

const word = (text: string, left: number, top: number): Word => ({
  text,
  left,
  top,
  right: left + 30,
  bottom: top + 10,
});

const ROWS = Array.from({ length: 6 }, (_, index) => index);

describe('isDrawnInOrder', () => {
  it('prefers tables drawn row by row in two columns to their cells column by column', () => {
    const [left, right] = [0, 300].map((start) =>
      ROWS.map((row) =>
        ['name', 'type', 'value'].map((text, at) => word(text, start + at * 60, row * 20)),
      ),
    );
    const drawn = [...left!, ...right!].flat();
    const found = [left!, right!].flatMap((table) =>
      [0, 1, 2].flatMap((cell) => table.map((row) => row[cell]!)),
    );
    expect(isDrawnInOrder(found, drawn)).toBe(true);
    expect(isDrawnInOrder(drawn, found)).toBe(false);
  });

  it('prefers labels with their values to all values after all labels', () => {
    const labels = ROWS.map((row) => word('label', 0, row * 40));
    const values = ROWS.map((row) => word('value', 100, row * 40));
    const found = ROWS.flatMap((row) => [labels[row]!, values[row]!]);
    expect(isDrawnInOrder(found, [...labels, ...values])).toBe(false);
  });

  it('prefers columns of prose one after the other to lines across them', () => {
    const line = (start: number, row: number) =>
      [0, 1, 2, 3, 4].map((at) => word('word', start + at * 33, row * 12));
    const columns = [0, 300].flatMap((start) => ROWS.flatMap((row) => line(start, row)));
    const across = ROWS.flatMap((row) => [...line(0, row), ...line(300, row)]);
    expect(isDrawnInOrder(across, columns)).toBe(true);
    expect(isDrawnInOrder(columns, across)).toBe(false);
  });
});
