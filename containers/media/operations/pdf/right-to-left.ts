/** Converts right-to-left text, which is drawn from left to right, to reading order. */
import type { Box } from '../../pdf/page-space.ts';

export const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;
export const LETTER = /\p{L}/u;
export const LETTER_OR_DIGIT = /[\p{L}\p{Nd}]/u;
/** Matches a character with the marks that are drawn above or below it. */
const CLUSTER = /\P{M}\p{M}*|^\p{M}+/gu;

/** Matches a sign that belongs to the number beside it, except in Arabic. */
export const NUMBER_SIGN = /[%‰$€£¥₪°]/u;
const ARABIC = /\p{Script=Arabic}/u;

interface Text extends Box {
  text: string;
  /** Whether the box is mirrored, as on right-to-left pages. */
  isMirrored?: boolean;
  /** Whether the words of the line are in reading order. */
  isOrdered?: boolean;
  /** Whether the word is a number that belongs to the words of a left-to-right script before it. */
  isLeftToRight?: boolean;
}

/** Returns a word in reading order. `pdftotext -bbox` lists the letters of each word from left to right. */
export function wordInReadingOrder(word: string): string {
  if (!RIGHT_TO_LEFT.test(word)) return word;
  const clusters = (word.match(CLUSTER) ?? []).toReversed();
  const isSign = (cluster: string) => NUMBER_SIGN.test(cluster) && !ARABIC.test(word);
  // Numbers are read from left to right in all scripts.
  const isOpposite = (cluster: string) =>
    /\p{Nd}/u.test(cluster) ||
    isSign(cluster) ||
    (LETTER.test(cluster) && !RIGHT_TO_LEFT.test(cluster));
  const isNeutral = (cluster: string) => !LETTER_OR_DIGIT.test(cluster);
  return withRunsReversed(clusters, isOpposite, isNeutral).join('');
}

export const hasRightToLeft = (words: readonly Pick<Text, 'text'>[]): boolean =>
  words.some(({ text }) => RIGHT_TO_LEFT.test(text));

/** Whether most words with letters are read from right to left. */
export function isRightToLeft(words: readonly Pick<Text, 'text'>[]): boolean {
  const lettered = words.filter(({ text }) => LETTER.test(text));
  return lettered.filter(({ text }) => RIGHT_TO_LEFT.test(text)).length * 2 > lettered.length;
}

/** Returns a coordinate that increases from left to right on the page. */
const leftOf = ({ left, right, isMirrored }: Text) => (isMirrored ? -right : left);

/** Returns the words of a line in reading order, including the words of scripts with the opposite direction. */
export function wordsInReadingOrder<Word extends Text>(words: readonly Word[]): readonly Word[] {
  if (words[0]?.isOrdered) return words;
  const isMirrored = words.some((word) => word.isMirrored);
  if (!hasRightToLeft(words)) {
    return isMirrored ? words.toSorted((a, b) => leftOf(a) - leftOf(b)) : fromLeftToRight(words);
  }
  // On right-to-left pages, a line may begin with names in another script.
  const backwards = isMirrored || isRightToLeft(words);
  const ordered = backwards ? words.toSorted((a, b) => leftOf(b) - leftOf(a)) : words;
  const isOfRightToLeft = ({ text }: Word) => RIGHT_TO_LEFT.test(text);
  const isOfLeftToRight = (word: Word) =>
    word.isLeftToRight === true || (LETTER.test(word.text) && !isOfRightToLeft(word));
  const isNeutral = ({ text }: Word) => !LETTER.test(text);
  return withRunsReversed(ordered, backwards ? isOfLeftToRight : isOfRightToLeft, isNeutral);
}

/**
 * Sorts the words of a line if few of them are drawn too late. Some programs draw symbols that are in another font,
 * such as checkboxes, after the text behind them. Upside-down text is not sorted.
 */
function fromLeftToRight<Word extends Text>(words: readonly Word[]): readonly Word[] {
  const back = words.slice(1).filter((word, at) => leftOf(word) < leftOf(words[at]!)).length;
  const isSymbol = ({ text }: Word) => !LETTER_OR_DIGIT.test(text);
  const isForwards = back * 2 < words.length - 1;
  if (back === 0 || !words.some(isSymbol) || !(isForwards || words.length === 2)) return words;
  return words.toSorted((a, b) => leftOf(a) - leftOf(b));
}

/** Returns the rows of a table, whose cells are ordered from left to right, in reading order. */
export function rowsInReadingOrder(rows: string[][]): string[][] {
  const lettered = rows.flat().filter((text) => LETTER.test(text));
  const backwards = lettered.filter((text) => RIGHT_TO_LEFT.test(text)).length;
  return backwards * 2 > lettered.length ? rows.map((row) => row.toReversed()) : rows;
}

/** Reverses each run of opposite and neutral items. A run starts and ends with an opposite item. */
function withRunsReversed<Item>(
  items: readonly Item[],
  isOpposite: (item: Item) => boolean,
  isNeutral: (item: Item) => boolean,
): Item[] {
  const result: Item[] = [];
  let run: Item[] = [];
  let neutral: Item[] = [];
  const flush = () => {
    for (const item of [...run.toReversed(), ...neutral]) result.push(item);
    [run, neutral] = [[], []];
  };
  for (const item of items) {
    if (isOpposite(item)) {
      for (const one of [...neutral, item]) run.push(one);
      neutral = [];
    } else if (run.length > 0 && isNeutral(item)) neutral.push(item);
    else {
      flush();
      result.push(item);
    }
  }
  flush();
  return result;
}
