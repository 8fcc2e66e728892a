/** The service's mark: a tile with a notch, drawn as SVG for pages and icons. */

const PATH = 'M9 8h14v5h-4.5v11h-5V13H9z';

export function Mark() {
  return (
    <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path d={PATH} fill="var(--on-accent)" />
    </svg>
  );
}

export const MARK_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0a6454"/><path d="${PATH}" fill="#fff"/></svg>`;
