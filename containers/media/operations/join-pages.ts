/** Joins the texts of a document's pages. */

/** Precedes each page but the first by a line `--- Page N ---`. N is taken from `numbers`, or counted from 1. */
export const joinPages = (texts: readonly string[], numbers?: readonly number[]): string =>
  texts
    .map((text, index) =>
      index === 0 ? text : `\n--- Page ${numbers?.[index] ?? index + 1} ---\n${text}`,
    )
    .join('');
