/** A text within a bound of tokens, whatever tokenizer counts them: for models that do not keep to the bound themselves. */

/**
 * Pieces of which every tokenizer in use makes a token at least: words at blanks, long ones by ten characters, scripts
 * without blanks by three. So no text is cut that a model wrote within its bound.
 */
const PIECES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,3}|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,10}/gu;

/** The text up to the piece that is the `most`th token at least; the whole where it has no more. */
export function withinTokens(text: string, most: number): string {
  let pieces = 0;
  let end = 0;
  for (const { 0: piece, index } of text.matchAll(PIECES)) {
    if (pieces === most) return text.slice(0, end);
    pieces += 1;
    end = index + piece.length;
  }
  return text;
}
