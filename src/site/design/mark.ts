/** The service's logo, a nut with a page as its hole: tools for files. It does not depend on the service's name. */
import { COLORS } from './colors.ts';

const SIDE = 32;
const MIDDLE = SIDE / 2;
const RADIUS = 15.5;
/** The distance from a corner at which rounding starts, as a fraction of the edge. */
const ROUND = 0.16;
/** The page: its left, top, right and bottom edges, and the side of its folded corner. */
const PAGE = { left: 11, top: 9, right: 21, bottom: 23, fold: 4.5 };

const corner = (index: number): [number, number] => {
  const angle = ((index % 6) * Math.PI) / 3 - Math.PI / 2;
  return [MIDDLE + RADIUS * Math.cos(angle), MIDDLE + RADIUS * Math.sin(angle)];
};

function between(from: number, to: number): string {
  const [x, y] = corner(from);
  const [u, v] = corner(to);
  return `${(x + (u - x) * ROUND).toFixed(2)} ${(y + (v - y) * ROUND).toFixed(2)}`;
}

function nut(): string {
  const sides = [0, 1, 2, 3, 4, 5].map((at) => {
    const [x, y] = corner(at).map((value) => value.toFixed(2));
    return `${at === 0 ? 'M' : 'L'}${between(at, at + 5)}Q${x} ${y} ${between(at, at + 1)}`;
  });
  return `${sides.join('')}Z`;
}

const { left, top, right, bottom, fold } = PAGE;

/** Both outlines. That of the page runs in the opposite direction, which makes it a hole. */
export const MARK_PATH = `${nut()}M${left} ${top}V${bottom}H${right}V${top + fold}L${right - fold} ${top}Z`;

const { accent, onAccent } = COLORS;
/** The accent of the dark theme (client/styles/tokens.css). */
const ACCENT_DARK = '#63cdb4';

/** The mark for a browser's tab, in the system's theme. */
export const MARK_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIDE} ${SIDE}"><style>path{fill:${accent}}@media (prefers-color-scheme:dark){path{fill:${ACCENT_DARK}}}</style><path d="${MARK_PATH}"/></svg>`;

/** The mark on a tile. `bleeding` fills the square to its corners, for systems that crop it themselves. */
export const tileSvg = ({ bleeding = false } = {}): string => {
  const edge = bleeding ? 14 : 7;
  const side = SIDE + 2 * edge;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-edge} ${-edge} ${side} ${side}"><rect x="${-edge}" y="${-edge}" width="${side}" height="${side}"${bleeding ? '' : ' rx="10"'} fill="${accent}"/><path d="${MARK_PATH}" fill="${onAccent}"/></svg>`;
};
