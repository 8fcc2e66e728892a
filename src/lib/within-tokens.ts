/** A text within a bound of tokens, whatever tokenizer counts them: for models that do not keep to the bound themselves. */

/**
 * Pieces as tokenizers cut at the least: words and long ones by ten letters, numbers by three digits, runs of signs,
 * scripts without blanks by two. Of what tokenizers in use count they are nearly all, and hardly ever more: so what is
 * let through is hardly over the bound, and a text that a model wrote within it stays whole.
 */
const PIECES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,2}|[\p{L}\p{M}]{1,10}|\p{N}{1,3}|[^\s\p{L}\p{M}\p{N}]{1,3}/gu;

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
