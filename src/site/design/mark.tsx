/** The service's mark: a tile with a notch, drawn as SVG for pages and icons. */

import { COLOURS } from './tokens.ts';

export const MARK_PATH = 'M9 8h14v5h-4.5v11h-5V13H9z';

export function Mark() {
  return (
    <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path d={MARK_PATH} fill="var(--on-accent)" />
    </svg>
  );
}

const { accent, onAccent } = COLOURS;

/** The mark by itself; `bleeding` fills the square to its corners, for systems that cut out a shape of their own. */
export const markSvg = ({ bleeding = false } = {}): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${bleeding ? '-6 -6 44 44' : '0 0 32 32'}">${
    bleeding
      ? `<rect x="-6" y="-6" width="44" height="44" fill="${accent}"/>`
      : `<rect width="32" height="32" rx="8" fill="${accent}"/>`
  }<path d="${MARK_PATH}" fill="${onAccent}"/></svg>`;
