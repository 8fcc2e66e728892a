/** Finds ruby text, the small readings beside Chinese characters, and writes it in parentheses after them. */
import { heightOf } from './boxes.ts';
import type { StyledWord } from './styled-words.ts';

const KANA = /^[\p{Script=Hiragana}\p{Script=Katakana}\u30fb\u30fc]+$/u;
const HAN = /\p{Script=Han}/u;
/** The maximum size of ruby text, as a share of the size of the characters. */
const MAX_SIZE = 0.65;
/** The maximum distance between ruby text and the characters below it, as a share of the size of the ruby text. */
const MAX_GAP = 0.8;
/** A page with more possible readings or words is not searched, because the search takes quadratic time. */
const MAX_READINGS = 500;
const MAX_WORDS = 10_000;

/** Returns the words with ruby text after its characters. Vertical text must be turned. */
export function withRubyText(words: readonly StyledWord[]): StyledWord[] {
  const bases = words.filter(({ text }) => HAN.test(text));
  const most = bases.reduce((size, word) => Math.max(size, heightOf(word)), 0);
  const small = words.filter((word) => heightOf(word) < most * MAX_SIZE && KANA.test(word.text));
  if (small.length === 0 || small.length > MAX_READINGS || words.length > MAX_WORDS) {
    return [...words];
  }
  const above = small.filter((word) => bases.some((base) => isAbove(word, base)));
  const readings = joined(above);
  const texts = new Map<StyledWord, string>();
  const read = new Set<StyledWord>();
  // A later reading in a word moves only the text after it.
  for (const reading of readings.toSorted((a, b) => b[0]!.left - a[0]!.left)) {
    const [first, last] = [reading[0]!, reading.at(-1)!];
    const end = endOf(
      { left: first.left, right: last.right },
      bases.filter((base) => isAbove(first, base)),
    );
    if (!end) continue;
    const text = texts.get(end.word) ?? end.word.text;
    const kana = reading.map((word) => word.text).join('');
    texts.set(end.word, `${text.slice(0, end.at)}（${kana}）${text.slice(end.at)}`);
    for (const word of reading) read.add(word);
  }
  return words
    .filter((word) => !read.has(word))
    .map((word) => (texts.has(word) ? { ...word, text: texts.get(word)! } : word));
}

/** Whether a word is directly above another one, which is larger. */
function isAbove(word: StyledWord, base: StyledWord): boolean {
  // The font size may be that of the text below, which almost touches the ruby text.
  const [size, baseSize] = [heightOf(word), heightOf(base)];
  const gap = base.top - word.bottom;
  const middle = (word.left + word.right) / 2;
  return (
    size < baseSize * MAX_SIZE &&
    Math.abs(gap) < size * MAX_GAP &&
    middle > base.left - baseSize &&
    middle < base.right + baseSize
  );
}

/** Joins the words of a reading, whose characters may be drawn separately. */
function joined(words: readonly StyledWord[]): StyledWord[][] {
  const readings: StyledWord[][] = [];
  for (const word of words) {
    const before = readings.at(-1)?.at(-1);
    const size = heightOf(word);
    const isNext =
      before &&
      Math.abs(before.top - word.top) < size / 2 &&
      Math.abs(word.left - before.right) < size / 2;
    if (isNext) readings.at(-1)!.push(word);
    else readings.push([word]);
  }
  return readings;
}

/** Returns the last Chinese character below a reading, and the position after it in its word. */
function endOf({ left, right }: { left: number; right: number }, bases: readonly StyledWord[]) {
  let end: { word: StyledWord; at: number; center: number } | undefined;
  for (const word of bases) {
    const characters = [...word.text];
    const width = (word.right - word.left) / characters.length;
    const first = Math.max(0, Math.floor((left - word.left) / width - 1));
    let at = characters.slice(0, first).join('').length;
    for (const [index, character] of characters.slice(first).entries()) {
      const center = word.left + (first + index + 0.5) * width;
      if (center > right) break;
      at += character.length;
      const isBase = HAN.test(character) && center > left - width;
      if (isBase && (!end || center > end.center)) end = { word, at, center };
    }
  }
  return end;
}
