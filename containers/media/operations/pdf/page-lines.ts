/** Groups lines into paragraphs, and joins the words of lines into the text of a block. */
import { type Group, overlaps } from './boxes.ts';
import { wordsInReadingOrder } from './right-to-left.ts';
import type { StyledWord } from './styled-words.ts';

export type Line = Group<StyledWord>;

/** The maximum distance between lines of one paragraph, as a share of the font size. */
const PARAGRAPH_GAP = 0.7;
/** The maximum distance between full lines of a script without spaces, whose lines are often further apart. */
const WIDE_GAP = 1.2;
/** The maximum width that remains unused at the end of such a full line, as a share of the font size. */
const MAX_UNUSED = 1.5;
const SAME_SIZE = 1.12;
/** The maximum distance in points between left edges at the same position. */
const SAME_EDGE = 1;
/**
 * The minimum width, as a share of the font size, that remains unused at the end of an item although the first word of
 * the next line would fit.
 */
const MIN_UNUSED = 2;
/** Matches characters of scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\u30fb\u30fc\uff00-\uffef]/u;
/** The minimum width of a space between characters of these scripts, as a share of the font size. */
const IDEOGRAPHIC_GAP = 0.8;
const ENDS_WITH_MARK = /[\p{scx=Arabic}&&\p{M}]$/v;
/** The minimum width of a space after an Arabic mark, as a share of the font size. */
const MARK_GAP = 0.18;
/** Matches dashes, quotation marks and numbers in circles, beside which these scripts have no space. */
const CLOSE_MARK = /[“”‘’…—·①-⑳]/u;
/**
 * Matches characters of scripts with spaces between phrases but not between words. A line can break between any two
 * words, so a line break between two such characters does not stand for a space.
 */
const SPACED_PHRASES = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/**
 * Matches a bullet, or the number or letter of an item. Symbol fonts have bullets in the private use area, and the
 * bullet of TeX's text symbols has the code 0x88.
 */
export const BULLET =
  /^(?:[•◦▪‣⁃●○■□▶–*·\u0088\ue000-\ue0ff\uf000-\uf0ff①-⑳-]|\(?(?:\d{1,3}|[a-zא-תأ-ي가-힣])[.)]|\(?[а-яα-ω]\))$/u;

/** Matches the number or bullet of an item in Chinese, Japanese or Korean text, which no space follows. */
const CLOSE_LABEL =
  /^(?:(?:[\d０-９]{1,2}|[一二三四五六七八九十]{1,3})、|[０-９]{1,2}[．.）]|[（(](?:[\d０-９]{1,2}|[一二三四五六七八九十]{1,3})[）)]|[①-⑳・●○■□◆◇])(?=[\p{L}\p{N}「『])/u;
/** Matches the end of a sentence or of a part of it. */
const ENDS_PART = /[.。；;：:！？!?]$/u;

/** Matches the end of a sentence or of a part of it, with a closing mark. */
export const SENTENCE_END = /[.!?:;]["'”’»)\]]?$/u;

/** Matches an entry of a table of contents, which ends with dots and a page number. */
const LEADER = /(?:\. ?){4} ?(?:\d{1,4}|[ivxlc]{1,6})$/;

/**
 * Groups lines into paragraphs. A new paragraph begins after a gap or an entry of a table of contents, at a change of
 * size or weight, at or below a list item, or where `areDivided` returns true for two lines.
 */
export function paragraphsOf(
  lines: readonly Line[],
  areDivided: (before: Line, line: Line) => boolean = () => false,
): Line[][] {
  const paragraphs: Line[][] = [];
  for (const line of lines) {
    const paragraph = paragraphs.at(-1);
    const before = paragraph?.at(-1);
    const isNext = before && belongsTo(before, line) && !areDivided(before, line);
    if (paragraph && isNext && !isBelowItem(paragraph, line)) paragraph.push(line);
    else paragraphs.push([line]);
  }
  return paragraphs;
}

/**
 * Whether a line is below a list item and not part of it: it begins at the left edge of the bullet or number although
 * the item is indented, or although its first word fits in the line before it.
 */
function isBelowItem(paragraph: readonly Line[], line: Line): boolean {
  const [first, second] = paragraph;
  const [word] = line.words;
  if (!first || !word || !startsItem(first) || first.words[0]!.hasBullet) return false;
  if (line.left > first.left + SAME_EDGE) return false;
  if (second && second.left > first.left + SAME_EDGE) return true;
  const { right } = paragraph.at(-1)!;
  return right + word.size * MIN_UNUSED + word.right - word.left < line.right;
}

function belongsTo(before: Line, line: Line): boolean {
  if (!hasSizeOf(before, line) || isBold(before) !== isBold(line)) return false;
  if (LEADER.test(textOf(before))) return false;
  const isPartOfWord =
    hasSyllableLabel(line) && !hasSyllableLabel(before) && !endsBefore(before, line);
  if (startsItem(line) && !isPartOfWord) return false;
  if (hasCloseLabel(line) && endsBefore(before, line)) return false;
  const larger = Math.max(fontSizeOf(before), fontSizeOf(line));
  const gap = line.top - before.bottom;
  const most = larger * (isWideLine(before, line) ? WIDE_GAP : PARAGRAPH_GAP);
  return gap < most && gap > -larger && overlaps(before, line);
}

/** Whether a line of a script without spaces is full, so that the next line probably continues it. */
const isWideLine = (before: Line, line: Line): boolean =>
  [before, line].every(isOfUnspacedScript) &&
  before.right > line.right - fontSizeOf(line) * MAX_UNUSED &&
  before.left > line.left - fontSizeOf(line) * MAX_UNUSED;

const isOfUnspacedScript = ({ words }: Line): boolean =>
  words.some(({ text }) => UNSPACED.test(text));

/** Whether a line begins with a label that no space separates from its text. */
export const hasCloseLabel = ({ words: [first] }: Line): boolean =>
  CLOSE_LABEL.test(first?.text ?? '');

/** Whether a line begins with a Korean label. In Korean, a line may also begin with the last syllable of a sentence. */
const hasSyllableLabel = ({ words: [first] }: Line): boolean =>
  /^\(?[가-힣][.)]$/.test(first?.text ?? '');

/** Whether the text of a line is complete, so that a label in the next line is not part of its sentence. */
const endsBefore = (before: Line, line: Line): boolean =>
  hasCloseLabel(before) ||
  ENDS_PART.test(textOf(before)) ||
  before.right < line.right - fontSizeOf(line) * MAX_UNUSED;

/** Whether two lines have the same font size, except for rounding. */
export function hasSizeOf(one: Line, other: Line): boolean {
  const sizes = [fontSizeOf(one), fontSizeOf(other)];
  return Math.max(...sizes) <= Math.min(...sizes) * SAME_SIZE;
}

export const startsItem = ({ words: [first, second] }: Line): boolean =>
  first?.hasBullet === true ||
  (first !== undefined &&
    second !== undefined &&
    (isCircle(first, second) || (BULLET.test(first.text) && !isPageNumber(first, second))));

/**
 * Whether a word is Microsoft Word's circle bullet, which is the letter o in Courier New before text in another font.
 */
export const isCircle = (word: StyledWord, next: StyledWord | undefined): boolean =>
  word.text === 'o' && word.isMono && next?.isMono === false;

/** Whether two words are an abbreviation and a number, such as `p. 12`. */
const isPageNumber = (first: StyledWord, second: StyledWord) =>
  first.text === 'p.' && /^\d+$/.test(second.text);

/** Returns the font size of the longest word of the line. */
export function fontSizeOf({ words }: Line): number {
  const sizes = words.map(({ size, text }) => [size, text.length] as const);
  return sizes.reduce((most, next) => (next[1] > most[1] ? next : most), [0, 0] as const)[0];
}

/**
 * Whether most words of a line are bold, unless they are only the heading of the text that follows them in the line.
 */
export function isBold({ words }: Line): boolean {
  const isMostlyBold = words.filter((word) => word.isBold).length * 2 > words.length;
  const text = words.findIndex((word) => !word.isBold);
  const heading = words[text - 1]?.text ?? '';
  return isMostlyBold && !(words.at(-1)?.isBold === false && /[.:!?]$/.test(heading));
}

export const isMono = ({ words }: Pick<Line, 'words'>): boolean =>
  words.filter((word) => word.isMono).length * 10 >= words.length * 9;

/** Returns the text of a line with its words in reading direction. */
export const textOf = (
  line: Pick<Line, 'words'>,
  wordText: (word: StyledWord) => string = ({ text }) => text,
): string =>
  spacedWords(line)
    .map(({ word, hasSpace }) => (hasSpace ? ` ${wordText(word)}` : wordText(word)))
    .join('');

/** Returns the words of a line in reading direction, and whether a space precedes each of them. */
export function spacedWords(line: Pick<Line, 'words'>): { word: StyledWord; hasSpace: boolean }[] {
  const words = wordsInReadingOrder(line.words);
  return words.map((word, at) => {
    const before = words[at - 1];
    return { word, hasSpace: before !== undefined && needsSpace(before, word) };
  });
}

/** Whether there is a space between two words. Words that touch are parts of one word whose font changes within it. */
function needsSpace(before: StyledWord, word: StyledWord): boolean {
  const gap = Math.max(word.left - before.right, before.left - word.right);
  if (isUnspaced(before.text, word.text)) return gap > word.size * IDEOGRAPHIC_GAP;
  // poppler separates the marks of Arabic letters, which are wide, from the next letter.
  if (ENDS_WITH_MARK.test(before.text)) return gap > word.size * MARK_GAP;
  return gap > word.size * 0.05 || gap < -word.size;
}

/**
 * Joins lines into one, and rejoins words that were divided at line ends. Keeps the line break before each line at whose
 * index `isBroken` returns true.
 */
export function flowedText(
  lines: readonly Pick<Line, 'words'>[],
  wordText?: (word: StyledWord) => string,
  isBroken: (at: number) => boolean = () => false,
): string {
  const parts: string[] = [];
  for (const [at, line] of lines.entries()) {
    const text = textOf(line, wordText);
    const before = parts.at(-1) ?? '';
    if (before === '') parts.push(text);
    else if (isDivided(before, text)) parts.push(parts.pop()!.slice(0, -1), text);
    else if (isWhole(before, text)) parts.push(text);
    else parts.push(isBroken(at) ? '\n' : ' ', text);
  }
  return parts.join('');
}

/** Whether a hyphen at the end of a line divides a word. */
const isDivided = (before: string, text: string) =>
  /\p{Ll}[-\u00ad\u2010]$/u.test(before) && /^\p{Ll}/u.test(text);

function isUnspaced(before: string, text: string): boolean {
  const [last, first] = [before.at(-1) ?? '', text[0] ?? ''];
  if (UNSPACED.test(last)) return UNSPACED.test(first) || CLOSE_MARK.test(first);
  return UNSPACED.test(first) && CLOSE_MARK.test(last);
}

/** Whether no space separates the end of a line from the start of the next line. */
export const isJoined = (before: string, text: string): boolean =>
  isDivided(before, text) || isWhole(before, text);

/** Whether a line ends between two characters that no space separates. */
const isWhole = (before: string, text: string): boolean =>
  isUnspaced(before, text) ||
  (SPACED_PHRASES.test(before.slice(-1)) && SPACED_PHRASES.test(text[0] ?? ''));
