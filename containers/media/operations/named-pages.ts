/** Formats page numbers for messages. */

const MAX_NAMED = 20;

/** Formats page numbers as `Page 3` or `Pages 3, 4`. */
export function namedPages(pages: readonly number[]): string {
  if (pages.length === 1) return `Page ${pages[0]}`;
  const listed = pages.slice(0, MAX_NAMED).join(', ');
  return `Pages ${listed}${pages.length > MAX_NAMED ? ` and ${pages.length - MAX_NAMED} more` : ''}`;
}
