/**
 * Truncates text to a token limit, for models that do not respect the limit. Text is truncated only if it exceeds the
 * limit in every tokenizer.
 */

/**
 * Matches the smallest pieces of common tokenizers: a word with the symbol before it, ten letters of a long word, three
 * digits of a number, three symbols, or two characters of a script without spaces.
 */
const PIECES =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]{1,2}|[^\s\p{L}\p{M}\p{N}]?[[\p{L}\p{M}]--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]]{1,10}|\p{N}{1,3}|[^\s\p{L}\p{M}\p{N}]{1,3}/gv;
/** The largest number of pieces per token. Text with more pieces exceeds the limit in every tokenizer. */
const MAX_PIECES_A_TOKEN = 1.05;

/** Truncates the text to `most` pieces if it exceeds the limit in every tokenizer. */
export function withinTokens(text: string, most: number): string {
  let pieces = 0;
  let end = 0;
  for (const { 0: piece, index } of text.matchAll(PIECES)) {
    pieces += 1;
    if (pieces > most * MAX_PIECES_A_TOKEN) return text.slice(0, end);
    if (pieces <= most) end = index + piece.length;
  }
  return text;
}
