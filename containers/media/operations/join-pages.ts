/** Joins the text of a document's pages. */

/**
 * Inserts a line `--- Page N ---` before every page except the first. N comes from `numbers`, or is counted from 1. In
 * Markdown, blank lines surround it, because it would otherwise belong to the paragraph or list above.
 */
export function joinPages(
  texts: readonly string[],
  numbers?: readonly number[],
  isMarkdown = false,
): string {
  const blank = isMarkdown ? '\n' : '';
  const markOf = (index: number) =>
    `${blank}\n--- Page ${numbers?.[index] ?? index + 1} ---\n${blank}`;
  return texts.map((text, index) => (index === 0 ? text : markOf(index) + text)).join('');
}
