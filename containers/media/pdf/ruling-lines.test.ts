import { expect, it } from 'vitest';
import { name, type PdfValue } from './objects.ts';
import { IDENTITY } from './page-space.ts';
import { RulingLines } from './ruling-lines.ts';

type Step = [operator: string, ...operands: PdfValue[]];

const CORNERS: Step[] = [
  ['m', 0, 0],
  ['l', 50, 0],
  ['l', 50, 50],
  ['l', 0, 50],
];

it.each<[string, Step[], number]>([
  ['an open path', [...CORNERS, ['S']], 3],
  ['a path that its paint operator closes', [...CORNERS, ['s']], 4],
  ['a path that is closed', [...CORNERS, ['h'], ['S']], 4],
  ['a rectangle', [['re', 0, 0, 50, 50], ['S']], 4],
  ['a narrow rectangle', [['re', 0, 0, 50, 1], ['f']], 1],
  ['an area', [...CORNERS, ['f']], 0],
  ['a clipping path', [...CORNERS, ['n']], 0],
  ['a diagonal', [['m', 0, 0], ['l', 50, 50], ['S']], 0],
  ['a damaged path', [['l', 1, 1], ['m', name('a'), 1], ['l', 50, 1], ['h'], ['S']], 0],
])('finds the lines of %s', (_, steps, count) => {
  const lines = new RulingLines();
  for (const [operator, ...operands] of steps) lines.run(operator, operands, IDENTITY);
  expect(lines.boxes).toHaveLength(count);
});

it('finds none on a page with too many lines', () => {
  const lines = new RulingLines();
  for (let at = 0; at <= 3000; at += 1) {
    lines.run('re', [0, at, 50, 1], IDENTITY);
    lines.run('f', [], IDENTITY);
  }
  expect(lines.boxes).toEqual([]);
});
