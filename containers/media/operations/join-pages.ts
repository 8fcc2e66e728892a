/** Joins the text of a document's pages. */

/** Inserts a line `--- Page N ---` before every page except the first. N comes from `numbers`, or is counted from 1. */
export const joinPages = (texts: readonly string[], numbers?: readonly number[]): string =>
  texts
    .map((text, index) =>
      index === 0 ? text : `\n--- Page ${numbers?.[index] ?? index + 1} ---\n${text}`,
    )
    .join('');
