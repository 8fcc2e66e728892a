/** Joins the texts of a document's pages. */

/**
 * Separates pages by a line `--- Page N ---`, where N is the number of the next page, taken from
 * `numbers` or counted from 1.
 */
export const joinPages = (texts: readonly string[], numbers?: readonly number[]): string =>
  texts
    .map((text, index) =>
      index === 0 ? text : `\n--- Page ${numbers?.[index] ?? index + 1} ---\n${text}`,
    )
    .join('');
