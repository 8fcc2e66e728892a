/**
 * Reads the numbers and the words of left-to-right scripts in lines that are read from right to left. The punctuation
 * after such a word is drawn before it.
 */
import { heightOf } from './boxes.ts';
import { levelWords } from './drawn-spaces.ts';
import {
  hasRightToLeft,
  LETTER,
  LETTER_OR_DIGIT,
  NUMBER_SIGN,
  RIGHT_TO_LEFT,
} from './right-to-left.ts';
import type { StyledWord } from './styled-words.ts';

const ARABIC_LETTER = /[\p{Script=Arabic}&&\p{L}]/v;
/** Matches punctuation that follows a word in left-to-right text. */
const BEGINS_WITH_CLOSING = /^[.,;:!?،؛؟)\]}»”’]/u;
/** The minimum share of right-to-left words in a line that is read from right to left on a left-to-right page. */
const MIN_BACKWARDS = 0.7;
/** A wider gap, in letter heights, separates the cells of a table or the columns of a page. */
const MAX_GAP = 1.5;
const BRACKETS: Record<string, string> = { '(': ')', '[': ']', '{': '}', '«': '»', '“': '”' };

/**
 * Corrects the texts of the words in right-to-left lines, and marks the numbers that follow a name.
 *
 * @param isBackwards whether most of the page is read from right to left, including lines that are mostly names
 */
export function readOppositeWords(words: readonly StyledWord[], isBackwards: boolean): void {
  if (!hasRightToLeft(words)) return;
  for (const row of levelWords(words)) {
    for (const line of linesOf(row.toSorted((a, b) => a.left - b.left))) {
      if (!(isBackwards ? hasRightToLeft(line) : isClearlyBackwards(line))) continue;
      const isArabic = line.some(({ text }) => ARABIC_LETTER.test(text));
      for (const run of oppositeRuns(line)) movePunctuation(run, isArabic);
    }
  }
}

/** Whether a line on a left-to-right page is read from right to left and not part of a left-to-right sentence. */
function isClearlyBackwards(line: readonly StyledWord[]): boolean {
  const lettered = line.filter(({ text }) => LETTER.test(text));
  const backwards = lettered.filter(({ text }) => RIGHT_TO_LEFT.test(text)).length;
  return backwards > lettered.length * MIN_BACKWARDS;
}

/** Splits a row at its wide gaps. */
function linesOf(row: readonly StyledWord[]): StyledWord[][] {
  const lines: StyledWord[][] = [];
  for (const word of row) {
    const before = lines.at(-1)?.at(-1);
    if (before && word.left - before.right < heightOf(word) * MAX_GAP) lines.at(-1)!.push(word);
    else lines.push([word]);
  }
  return lines;
}

/** Returns the runs of words that are read from left to right. A number belongs to the name at its left. */
function oppositeRuns(line: readonly StyledWord[]): StyledWord[][] {
  const runs: StyledWord[][] = [];
  let run: StyledWord[] | undefined;
  for (const word of line) {
    if (RIGHT_TO_LEFT.test(word.text) || !LETTER_OR_DIGIT.test(word.text)) {
      run = undefined;
    } else if (run && !BEGINS_WITH_CLOSING.test(word.text)) {
      run.push(word);
      if (!LETTER.test(word.text)) word.isLeftToRight = true;
    } else {
      const own = [word];
      runs.push(own);
      run = own;
    }
    if (run && !run.some(({ text }) => LETTER.test(text))) run = undefined;
  }
  return runs;
}

/** Moves the punctuation at each end of a run to the other end. */
function movePunctuation(run: readonly StyledWord[], isArabic: boolean): void {
  const [first, last] = [run[0]!, run.at(-1)!];
  const before = first.text.slice(0, startOf(first.text, isArabic));
  const after = last.text.slice(endOf(last.text, isArabic));
  if (before + after === '') return;
  // Some programs draw brackets as the characters that they look like.
  if (before.length === 1 && BRACKETS[before] === after) return;
  setText(last, last.text.slice(0, last.text.length - after.length) + reversed(before), 0);
  setText(first, reversed(after) + first.text.slice(before.length), after.length - before.length);
}

/** Returns the position of the first letter or digit, or of the signs that belong to it. */
function startOf(text: string, isArabic: boolean): number {
  let start = text.search(LETTER_OR_DIGIT);
  if (isArabic || !/^\p{Nd}/u.test(text.slice(start))) return start;
  const isSign = (character = '') => character === '#' || NUMBER_SIGN.test(character);
  while (isSign(text[start - 1])) start -= 1;
  return start;
}

/** Returns the position after the last letter or digit, and after the signs that belong to it. */
function endOf(text: string, isArabic: boolean): number {
  let end = text.length;
  while (!/[\p{L}\p{Nd}\p{M}]/u.test(text[end - 1]!) && !isLowSurrogate(text, end - 1)) end -= 1;
  if (isArabic || !/\p{Nd}/u.test(text[end - 1]!)) return end;
  while (NUMBER_SIGN.test(text[end] ?? '')) end += 1;
  return end;
}

const isLowSurrogate = (text: string, at: number) => /[\udc00-\udfff]/.test(text[at]!);

const reversed = (text: string) => [...text].toReversed().join('');

/** Changes the text of a word, whose letters move by `shift` positions. */
function setText(word: StyledWord, text: string, shift: number): void {
  word.text = text;
  for (const range of [word.link, word.inner]) {
    if (range) {
      range.start = Math.max(0, range.start + shift);
      range.end = Math.max(0, range.end + shift);
    }
  }
}
