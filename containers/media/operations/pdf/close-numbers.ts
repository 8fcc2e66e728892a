/**
 * Separates the numbers of list items from the text directly after them. In such lists, the indent is narrower than the
 * number.
 */
import type { Line } from './page-lines.ts';
import type { StyledWord } from './styled-words.ts';

/** Matches a number of two or three digits directly before a letter. The match does not include the letter. */
const NUMBER_AND_TEXT = /^(\d{2,3})[.)](?=\p{L})/u;
/** The width of the space that is added after the number, as a share of the font size. */
const GAP = 0.1;
const NUMBER = /^(\d{1,3})[.)]$/;

/** Separates a number from its text only if the number is one more than that of the previous item. */
export function withSeparateNumbers(lines: readonly Line[]): Line[] {
  let last: number | undefined;
  return lines.map((line) => {
    const first = line.words[0]?.text ?? '';
    const close = NUMBER_AND_TEXT.exec(first)?.[1];
    const number = close ?? NUMBER.exec(first)?.[1];
    const isNext = close !== undefined && Number(close) - 1 === last;
    if (number !== undefined && (isNext || close === undefined)) last = Number(number);
    return isNext ? withSeparateNumber(line) : line;
  });
}

/** Splits the first word of the line if it is a number directly before a letter. Returns any other line unchanged. */
export function withSeparateNumber(line: Line): Line {
  const [word, ...others] = line.words;
  const label = NUMBER_AND_TEXT.exec(word?.text ?? '')?.[0];
  return word && label ? { ...line, words: [...parts(word, label.length), ...others] } : line;
}

function parts(word: StyledWord, length: number): StyledWord[] {
  const edge = word.left + ((word.right - word.left) * length) / word.text.length;
  const { link, inner, ...plain } = word;
  const shifted = <Range extends { start: number; end: number }>(range: Range): Range => ({
    ...range,
    start: Math.max(0, range.start - length),
    end: Math.max(0, range.end - length),
  });
  return [
    { ...plain, text: word.text.slice(0, length), right: edge - word.size * GAP },
    {
      ...plain,
      text: word.text.slice(length),
      left: edge,
      ...(link && { link: shifted(link) }),
      ...(inner && { inner: shifted(inner) }),
    },
  ];
}
