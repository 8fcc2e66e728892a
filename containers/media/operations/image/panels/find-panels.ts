/** Finds the panels of a comic, a contact sheet or a grid by the gutters that separate them. */
import { medianOf } from '../../median.ts';
import { type Box, inReadingOrder } from './box.ts';
import { hasFourSides, panelIslands } from './components.ts';
import { cutAlongGutters } from './cut.ts';
import { gutterColors, Ink, type Pixels } from './ink.ts';

/**
 * The minimum side length of a panel, as a share of the page's side length. Smaller pieces are page numbers and specks.
 */
const MIN_SIDE = 0.035;
/**
 * The minimum side length of a panel, as a share of the median side length of the pieces that pass `MIN_SIDE`. Smaller
 * pieces are captions.
 */
const MIN_OF_MIDDLE = 0.2;
const MAX_PANELS = 400;
/** The minimum share of the page's area that the panels must cover. Letters and scattered drawings cover less. */
const MIN_FILLED = 0.3;
/**
 * The maximum difference between a gutter's pixels and its color. Low values suit drawings whose colors resemble the
 * gutter color, and high values suit noisy paper.
 */
const TOLERANCES = [12, 22, 32];
/**
 * The maximum number of nested areas to search, which are the page and the insides of its frames. A frame is, for
 * example, the edge of a scan or a line around the page.
 */
const MAX_FRAMES = 3;

/** Returns the panels in reading order, in pixels of the given image. Returns no panels if there are no gutters. */
export function findPanels(pixels: Pixels): Box[] {
  let box: Box = { x: 0, y: 0, width: pixels.width, height: pixels.height };
  for (let frame = 0; frame < MAX_FRAMES; frame += 1) {
    let inner: Box | undefined;
    let best: { panels: Box[]; worth: number } | undefined;
    for (const color of gutterColors(pixels, box)) {
      for (const tolerance of TOLERANCES) {
        const ink = new Ink(pixels, color, tolerance);
        const cut = worthwhile(cutAlongGutters(ink, box), box);
        const islands = frame === 0 ? worthwhile(panelIslands(ink), box) : [];
        const panels = islands.length > cut.length ? inReadingOrder(islands) : cut;
        const filled = filledPart(panels, box);
        if (panels.length > 1 && panels.length <= MAX_PANELS && filled >= MIN_FILLED) {
          // With a wrong gutter color, the drawings inside panels are split into pieces that are not bordered on all
          // four sides. If two results cover equal areas, the one with more bordered panels is better.
          const sided = panels.filter((panel) => hasFourSides(ink, panel)).length;
          const worth = filled + 0.06 * Math.min(sided, 20);
          if (!best || worth > best.worth) best = { panels, worth };
        }
        inner ??= smaller(cut[0], box);
      }
    }
    if (best) return best.panels;
    if (!inner) return [];
    box = inner;
  }
  return [];
}

const filledPart = (panels: readonly Box[], page: Box) =>
  panels.reduce((sum, { width, height }) => sum + width * height, 0) / (page.width * page.height);

/**
 * Returns the area inside a frame, without the frame's line. Returns undefined if the piece is too small to fill a
 * frame.
 */
function smaller(piece: Box | undefined, box: Box): Box | undefined {
  if (!piece) return undefined;
  const line = Math.max(2, Math.round(Math.min(box.width, box.height) * 0.01));
  const [width, height] = [piece.width - 2 * line, piece.height - 2 * line];
  if (width < box.width / 2 || height < box.height / 2) return undefined;
  return { x: piece.x + line, y: piece.y + line, width, height };
}

/** Returns the pieces that are large enough to be panels. */
function worthwhile(pieces: readonly Box[], page: Box): Box[] {
  const large = pieces.filter(
    ({ width, height }) =>
      width >= Math.max(4, page.width * MIN_SIDE) && height >= Math.max(4, page.height * MIN_SIDE),
  );
  const width = medianOf(large.map((box) => box.width));
  const height = medianOf(large.map((box) => box.height));
  return large.filter(
    (box) => box.width >= width * MIN_OF_MIDDLE && box.height >= height * MIN_OF_MIDDLE,
  );
}
