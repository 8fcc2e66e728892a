/**
 * Draws the service's logo: a hexagonal nut with a hole in the shape of a page. It contains no text, so it fits any
 * service name.
 */
import { COLORS } from './colors.ts';

const SIDE = 32;
const MIDDLE = SIDE / 2;
const RADIUS = 15.5;
/** The distance from a corner at which the rounding starts, as a fraction of the edge. */
const ROUND = 0.16;
/** The positions of the page's edges, and the length of each side of its folded corner. */
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

/**
 * The outlines of the nut and of the page. The page's outline runs in the opposite direction, so that the page is a
 * hole.
 */
export const MARK_PATH = `${nut()}M${left} ${top}V${bottom}H${right}V${top + fold}L${right - fold} ${top}Z`;

const { accent, onAccent } = COLORS;
/** The accent color of the dark theme (client/styles/tokens.css). */
const ACCENT_DARK = '#63cdb4';

/** The logo for a browser's tab. Its colors follow the system's theme. */
export const MARK_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIDE} ${SIDE}"><style>path{fill:${accent}}@media (prefers-color-scheme:dark){path{fill:${ACCENT_DARK}}}</style><path d="${MARK_PATH}"/></svg>`;

/** Returns the logo on a tile. `bleeding` fills the square to its corners, for systems that crop icons themselves. */
export const tileSvg = ({ bleeding = false } = {}): string => {
  const edge = bleeding ? 14 : 7;
  const side = SIDE + 2 * edge;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-edge} ${-edge} ${side} ${side}"><rect x="${-edge}" y="${-edge}" width="${side}" height="${side}"${bleeding ? '' : ' rx="10"'} fill="${accent}"/><path d="${MARK_PATH}" fill="${onAccent}"/></svg>`;
};
