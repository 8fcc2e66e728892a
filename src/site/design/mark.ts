/** The service's mark, a tile with a T, as SVG. */
import { COLOURS } from './colours.ts';

const SIDE = 32;
const BARS = [
  { x: 9, y: 8, width: 14, height: 5 },
  { x: 13.5, y: 8, width: 5, height: 16 },
];

export const MARK_PATH = BARS.map(
  ({ x, y, width, height }) => `M${x} ${y}h${width}v${height}h-${width}z`,
).join('');

const { accent, onAccent } = COLOURS;

/** The logo alone. `bleeding` fills the square to its corners, for systems that crop it themselves. */
export const markSvg = ({ bleeding = false } = {}): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${bleeding ? '-6 -6 44 44' : `0 0 ${SIDE} ${SIDE}`}">${
    bleeding
      ? `<rect x="-6" y="-6" width="44" height="44" fill="${accent}"/>`
      : `<rect width="${SIDE}" height="${SIDE}" rx="8" fill="${accent}"/>`
  }<path d="${MARK_PATH}" fill="${onAccent}"/></svg>`;
