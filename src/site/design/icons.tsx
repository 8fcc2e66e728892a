/** The icons of the header as inline SVG, in the colours of the page. */
import { MARK_PATH } from './mark.ts';

export const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
    <rect width="32" height="32" rx="8" />
    <path d={MARK_PATH} />
  </svg>
);

export const SearchIcon = () => (
  <svg class="line-icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
    <circle cx="8.5" cy="8.5" r="5.5" />
    <path d="M12.5 12.5 17.5 17.5" />
  </svg>
);

/** A circle: half filled for the system's theme, empty for light, filled for dark. */
export const ThemeIcon = () => (
  <svg class="line-icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
    <circle class="sun" cx="10" cy="10" r="7" />
    <path class="half" d="M10 3a7 7 0 0 1 0 14z" />
  </svg>
);
