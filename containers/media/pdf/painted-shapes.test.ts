import { expect, it } from 'vitest';
import { name, type PdfValue } from './objects.ts';
import { IDENTITY } from './page-space.ts';
import { PaintedShapes } from './painted-shapes.ts';

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
  ['a path with a curve', [['m', 0, 0], ['c', 0, 5, 5, 9, 9, 9], ['l', 50, 9], ['S']], 1],
  [
    'a narrow area with curved ends',
    [['m', 0, 0], ['l', 50, 0], ['v', 51, 1, 50, 2], ['l', 0, 2], ['f']],
    1,
  ],
  ['a damaged path', [['l', 1, 1], ['m', name('a'), 1], ['l', 50, 1], ['h'], ['S']], 0],
])('finds the lines of %s', (_, steps, count) => {
  const painted = new PaintedShapes();
  for (const [operator, ...operands] of steps) painted.run(operator, operands, IDENTITY);
  expect(painted.rules).toHaveLength(count);
});

it('finds none on a page with too many lines', () => {
  const painted = new PaintedShapes();
  for (let at = 0; at <= 3000; at += 1) {
    painted.run('re', [0, at, 50, 1], IDENTITY);
    painted.run('f', [], IDENTITY);
  }
  expect(painted.rules).toEqual([]);
});

it('finds small shapes, whether their edges are straight or curved', () => {
  const painted = new PaintedShapes();
  painted.run('m', [10, 10], IDENTITY);
  painted.run('c', [10, 14, 14, 14, 14, 10], IDENTITY);
  painted.run('f', [], IDENTITY);
  painted.run('re', [20, 20, 5, 5], IDENTITY);
  painted.run('S', [], IDENTITY);
  painted.run('re', [20, 20, 50, 50], IDENTITY);
  painted.run('f', [], IDENTITY);
  expect(painted.shapes).toEqual([
    { left: 10, top: 10, right: 14, bottom: 14 },
    { left: 20, top: 20, right: 25, bottom: 25 },
  ]);
});

it('ignores a path with more points than a table has', () => {
  const painted = new PaintedShapes();
  for (let at = 0; at <= 15_000; at += 1) painted.run('m', [at, 0], IDENTITY);
  painted.run('re', [0, 0, 50, 1], IDENTITY);
  painted.run('f', [], IDENTITY);
  painted.run('re', [0, 0, 50, 1], IDENTITY);
  painted.run('f', [], IDENTITY);
  expect(painted.rules).toHaveLength(1);
});
