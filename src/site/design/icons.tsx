/** Renders the logo, and the icon of the theme switch, in the colors of the page. */
import { MARK_PATH } from './mark.ts';

export const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
    <path d={MARK_PATH} />
  </svg>
);

/** A circle that is half filled for the system's theme, empty for light and filled for dark. */
export const ThemeIcon = () => (
  <svg class="line-icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
    <circle class="sun" cx="10" cy="10" r="7" />
    <path class="half" d="M10 3a7 7 0 0 1 0 14z" />
  </svg>
);
