/** Joins the texts of a document's pages. */

/** Separates pages by a line `--- Page N ---`, where N is the number of the next page. */
export const joinPages = (texts: readonly string[]): string =>
  texts
    .map((text, index) => (index === 0 ? text : `\n--- Page ${index + 1} ---\n${text}`))
    .join('');
