/** The texts of a document's pages as one text. */

/** Between two pages stands `--- Page N ---` on a line of its own; N is the page that follows. */
export const joinPages = (texts: readonly string[]): string =>
  texts
    .map((text, index) => (index === 0 ? text : `\n--- Page ${index + 1} ---\n${text}`))
    .join('');
