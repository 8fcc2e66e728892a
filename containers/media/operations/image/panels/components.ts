/**
 * Finds panels as connected components. This also works for slanted or staggered gutters, which no straight line can
 * follow.
 */
import type { Box } from './box.ts';
import type { Ink } from './ink.ts';

/**
 * The minimum share of each side of a component's box that must have ink along it. The box of a panel has ink along all
 * sides, but the box of a drawing does not.
 */
const SIDE_INKED = 0.8;
/** The maximum distance between a side of a box and the ink along it, as a share of the length across that side. */
const SIDE_DEPTH = 0.06;
/**
 * The same distance as a share of the length of that side. The larger distance applies, because a slanted panel touches
 * the sides of its box only at some points.
 */
const SLANT = 0.045;

/** Returns the boxes of the components that are shaped like panels. */
export function panelIslands(ink: Ink): Box[] {
  const boxes = islands(ink).filter((box) => hasFourSides(ink, box));
  return boxes.filter((box) => !boxes.some((other) => other !== box && contains(other, box)));
}

const contains = (outer: Box, inner: Box) =>
  outer.x <= inner.x &&
  outer.y <= inner.y &&
  outer.x + outer.width >= inner.x + inner.width &&
  outer.y + outer.height >= inner.y + inner.height;

/** Returns the boxes of connected ink. Runs of ink in adjacent rows are connected if they touch, even diagonally. */
function islands(ink: Ink): Box[] {
  const parents: number[] = [];
  const bounds: { left: number; top: number; right: number; bottom: number }[] = [];
  const rootOf = (index: number): number => {
    let root = index;
    while (parents[root] !== root) root = parents[root] as number;
    parents[index] = root;
    return root;
  };
  type Run = { from: number; to: number; island: number };
  let above: Run[] = [];
  for (let y = 0; y < ink.height; y += 1) {
    const runs: Run[] = [];
    let next = 0;
    for (let x = 0; x < ink.width; x += 1) {
      if (!ink.mask[y * ink.width + x]) continue;
      const from = x;
      while (x < ink.width && ink.mask[y * ink.width + x]) x += 1;
      const to = x - 1;
      const island = parents.length;
      parents.push(island);
      bounds.push({ left: from, top: y, right: to, bottom: y });
      runs.push({ from, to, island });
      while (next < above.length && (above[next] as Run).to < from - 1) next += 1;
      for (let index = next; index < above.length; index += 1) {
        const upper = above[index] as Run;
        if (upper.from > to + 1) break;
        const [a, b] = [rootOf(upper.island), rootOf(island)];
        parents[Math.max(a, b)] = Math.min(a, b);
      }
    }
    above = runs;
  }
  for (const [index, own] of bounds.entries()) {
    const whole = bounds[rootOf(index)];
    if (!whole || whole === own) continue;
    whole.left = Math.min(whole.left, own.left);
    whole.right = Math.max(whole.right, own.right);
    whole.bottom = Math.max(whole.bottom, own.bottom);
  }
  return bounds
    .filter((_, index) => parents[index] === index)
    .map(({ left, top, right, bottom }) => ({
      x: left,
      y: top,
      width: right - left + 1,
      height: bottom - top + 1,
    }));
}

/** Whether ink runs along all four sides of a box. */
export function hasFourSides(ink: Ink, box: Box): boolean {
  const { x, y, width, height } = box;
  if (width < 8 || height < 8) return false;
  const deepX = Math.max(2, Math.round(Math.max(width * SIDE_DEPTH, height * SLANT)));
  const deepY = Math.max(2, Math.round(Math.max(height * SIDE_DEPTH, width * SLANT)));
  const inkedPart = (length: number, band: (index: number) => Box) => {
    let inked = 0;
    for (let index = 0; index < length; index += 1) if (ink.count(band(index)) > 0) inked += 1;
    return inked / length;
  };
  const sides = [
    inkedPart(width, (index) => ({ x: x + index, y, width: 1, height: deepY })),
    inkedPart(width, (index) => ({ x: x + index, y: y + height - deepY, width: 1, height: deepY })),
    inkedPart(height, (index) => ({ x, y: y + index, width: deepX, height: 1 })),
    inkedPart(height, (index) => ({ x: x + width - deepX, y: y + index, width: deepX, height: 1 })),
  ];
  return sides.every((part) => part >= SIDE_INKED);
}
