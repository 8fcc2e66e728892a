/** Repeatedly divides a page along its gutters (recursive XY cut). */
import type { Box } from './box.ts';
import type { Ink } from './ink.ts';

/** The maximum share of ink in a pixel row or column that belongs to a gutter. A small amount of ink may be dust. */
const DUST = 1 / 1000;
/** The minimum width of a gutter in pixels. Narrower gaps are light lines in a drawing. */
const NARROWEST_GUTTER = 2;
const DEEPEST = 12;

interface Axis {
  start: 'x' | 'y';
  size: 'width' | 'height';
  across: 'width' | 'height';
}

const ROWS: Axis = { start: 'y', size: 'height', across: 'width' };
const COLUMNS: Axis = { start: 'x', size: 'width', across: 'height' };

/** Returns the pieces in reading order. They contain no gutters and have none along their edges. */
export function cutAlongGutters(ink: Ink, box: Box, depth = 0): Box[] {
  const trimmed = trim(ink, box);
  if (!trimmed) return [];
  if (depth === DEEPEST) return [trimmed];
  for (const axis of [ROWS, COLUMNS]) {
    const pieces = inked(ink, trimmed, axis);
    if (pieces.length > 1) return pieces.flatMap((piece) => cutAlongGutters(ink, piece, depth + 1));
  }
  return [trimmed];
}

/** Returns the box without the gutters on its four sides, or null if nothing is left. */
function trim(ink: Ink, box: Box): Box | null {
  let trimmed = box;
  for (const axis of [ROWS, COLUMNS]) {
    const pieces = inked(ink, trimmed, axis);
    const [first, last] = [pieces[0], pieces.at(-1)];
    if (!first || !last) return null;
    trimmed = {
      ...trimmed,
      [axis.start]: first[axis.start],
      [axis.size]: last[axis.start] + last[axis.size] - first[axis.start],
    };
  }
  return trimmed;
}

/** Returns the ranges of pixel rows or columns that contain too much ink to be gutters. */
function inked(ink: Ink, box: Box, { start, size, across }: Axis): Box[] {
  const allowed = Math.floor(box[across] * DUST);
  const pieces: Box[] = [];
  const end = box[start] + box[size];
  let first = -1;
  let last = -1;
  const close = () => {
    if (first >= 0) pieces.push({ ...box, [start]: first, [size]: last - first + 1 });
    first = -1;
  };
  for (let line = box[start]; line < end; line += 1) {
    if (ink.count({ ...box, [start]: line, [size]: 1 }) > allowed) {
      if (first < 0) first = line;
      last = line;
    } else if (first >= 0 && line - last >= NARROWEST_GUTTER) close();
  }
  close();
  return pieces;
}
