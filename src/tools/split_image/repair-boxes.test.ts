import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Box, repairBoxes } from './repair-boxes.ts';

const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height });
const repair = (...boxes: Box[]) => repairBoxes(boxes, 1000, 800);

const LEFT = box(10, 10, 480, 780);
const RIGHT = box(510, 10, 480, 780);

describe('repairing the boxes of a vision model', () => {
  it('leaves valid boxes unchanged and in order', () => {
    expect(repair(LEFT, RIGHT)).toEqual([LEFT, RIGHT]);
    expect(repair(RIGHT, LEFT)).toEqual([RIGHT, LEFT]);
    expect(repair()).toEqual([]);
  });

  it('rounds boxes to whole pixels', () => {
    expect(repair(box(10.4, 9.6, 479.9, 780.2))).toEqual([LEFT]);
  });

  it('clips boxes to the image and drops those outside', () => {
    expect(repair(box(-50, -50, 540, 1000), box(2000, 0, 100, 100), box(0, 900, 50, 50))).toEqual([
      box(0, 0, 490, 800),
    ]);
  });

  it('drops boxes that are empty, negative, tiny or not numeric', () => {
    expect(
      repair(
        box(1, 1, 0, 50),
        box(500, 500, -20, 50),
        box(3, 3, 5, 300),
        box(Number.NaN, 0, 9, 9),
        RIGHT,
      ),
    ).toEqual([RIGHT]);
  });

  it('scales boxes given as fractions of the image', () => {
    expect(repair(box(0, 0, 0.5, 1), box(0.5, 0, 0.5, 1))).toEqual([
      box(0, 0, 500, 800),
      box(500, 0, 500, 800),
    ]);
  });

  it('splits an overlap in the middle', () => {
    expect(repair(box(0, 0, 520, 800), box(480, 0, 520, 800))).toEqual([
      box(0, 0, 500, 800),
      box(500, 0, 500, 800),
    ]);
    expect(repair(box(0, 380, 1000, 420), box(0, 0, 1000, 420))).toEqual([
      box(0, 400, 1000, 400),
      box(0, 0, 1000, 400),
    ]);
  });

  it('drops the smaller box if one panel was marked twice', () => {
    expect(repair(box(20, 20, 460, 760), LEFT, RIGHT, RIGHT)).toEqual([LEFT, RIGHT]);
  });

  it('drops a box that frames several others', () => {
    expect(repair(box(0, 0, 1000, 800), LEFT, RIGHT)).toEqual([LEFT, RIGHT]);
  });

  it('always returns whole, separate, non-empty boxes within the image', () => {
    const number = fc.oneof(fc.integer({ min: -2000, max: 3000 }), fc.double());
    const any = fc.record({ x: number, y: number, width: number, height: number });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 30 }), (given) => {
        const boxes = repairBoxes(given, 1000, 800);
        for (const [index, one] of boxes.entries()) {
          expect(Object.values(one).every(Number.isInteger)).toBe(true);
          expect(one.x >= 0 && one.y >= 0).toBe(true);
          expect(one.x + one.width <= 1000 && one.y + one.height <= 800).toBe(true);
          expect(one.width >= 4 && one.height >= 4).toBe(true);
          for (const other of boxes.slice(index + 1)) {
            const apart =
              one.x + one.width <= other.x ||
              other.x + other.width <= one.x ||
              one.y + one.height <= other.y ||
              other.y + other.height <= one.y;
            expect(apart).toBe(true);
          }
        }
      }),
      { numRuns: 3000 },
    );
  });
});
