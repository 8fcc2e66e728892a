/**
 * Cuts a text to a token limit, for models that do not respect the limit. A text that is cut exceeds the limit in any
 * tokenizer.
 */

/**
 * Matches the smallest pieces of common tokenizers: a word with the sign before it, ten letters of a long word, three
 * digits of a number, three signs, or two characters of a script without spaces.
 */
const PIECES =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]{1,2}|[^\s\p{L}\p{M}\p{N}]?[[\p{L}\p{M}]--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]]{1,10}|\p{N}{1,3}|[^\s\p{L}\p{M}\p{N}]{1,3}/gv;
/** The largest number of pieces per token. If a text has more pieces, it exceeds the limit in any tokenizer. */
const MOST_PIECES_A_TOKEN = 1.05;

/** Cuts a text that exceeds the limit in any tokenizer. The result has `most` pieces. */
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
