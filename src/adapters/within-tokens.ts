/** A text within a bound of tokens, whatever tokenizer counts them: for models that do not keep to the bound themselves. */

/**
 * Pieces as tokenizers cut at the least: words, with the sign before them and long ones by ten letters, numbers by
 * three digits, runs of signs, scripts without blanks by two.
 */
const PIECES =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]{1,2}|[^\s\p{L}\p{M}\p{N}]?[[\p{L}\p{M}]--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]]{1,10}|\p{N}{1,3}|[^\s\p{L}\p{M}\p{N}]{1,3}/gv;
/** A text may have so many pieces for each of its tokens; a longer one is beyond the bound for certain. */
const MOST_PIECES_A_TOKEN = 1.05;

/** The text up to its `most`th piece, where it has more tokens than that by any count; else the whole. */
export function withinTokens(text: string, most: number): string {
  let pieces = 0;
  let end = 0;
  for (const { 0: piece, index } of text.matchAll(PIECES)) {
    pieces += 1;
    if (pieces > most * MOST_PIECES_A_TOKEN) return text.slice(0, end);
    if (pieces <= most) end = index + piece.length;
  }
  return text;
}
