/**
 * Turns vertical text and mirrors right-to-left pages. The rest of the code then reads all pages as horizontal text
 * from left to right, including their columns, tables and lists.
 */

import type { PageDrawing } from '../../pdf/page-drawing.ts';
import type { Box } from '../../pdf/page-space.ts';
import { heightOf } from './boxes.ts';
import { levelText } from './diagonal-words.ts';
import { markBullets } from './drawn-bullets.ts';
import { type Block, taggedBlocks, untaggedBlocks } from './page-blocks.ts';
import { linesOf } from './reading-order.ts';
import { hasRightToLeft, wordsInReadingOrder } from './right-to-left.ts';
import { readOppositeWords } from './right-to-left-lines.ts';
import { withRubyText } from './ruby-text.ts';
import type { StyledWord } from './styled-words.ts';

/** Matches characters that are upright in vertical text. */
const UPRIGHT =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\u3000-\u303f\u30fb\u30fc\ufe10-\ufe4f\uff00-\uffef]/gu;
/** The minimum number of upright characters in vertical lines, and their minimum share of those on the page. */
const MIN_CHARACTERS = 10;
const MIN_SHARE = 0.5;
/** The minimum number of characters in a vertical line that shows that a page is vertical. */
const MIN_LINE = 4;
/**
 * The maximum distances between characters in a vertical line, as multiples of their width: between the centers,
 * between the tops, and between the bottom of a longer word and the top of the next character.
 */
const MAX_OFF = 0.3;
const MAX_STEP = 1.7;
const MAX_GAP = 1;

type Text = Box & Pick<StyledWord, 'text'>;

/**
 * Returns the indexes of the words in vertical text, or an empty set if the page has little vertical text. poppler
 * lists the characters of vertical text separately, unless the font itself is vertical.
 *
 * @param drawn the words in drawing order
 */
export function verticalWords(drawn: readonly Text[], hasVerticalFont: boolean): Set<number> {
  const found = new Set<number>();
  let line: number[] = [];
  let vertical = 0;
  const close = () => {
    const characters = line.reduce((sum, at) => sum + uprightsIn(drawn[at]!), 0);
    if (line.length > 1) {
      for (const at of line) found.add(at);
      if (characters >= MIN_LINE) vertical += characters;
    }
    line = [];
  };
  for (const [at, word] of drawn.entries()) {
    const before = drawn[line.at(-1) ?? -1];
    if (before && !isBelow(before, word)) close();
    if (isUpright(word)) found.add(at);
    if (hasVerticalFont && isTall(word) && uprightsIn(word) > 0) {
      found.add(at);
      if (uprightsIn(word) >= MIN_LINE) vertical += uprightsIn(word);
    }
    line.push(at);
  }
  close();
  const all = drawn.reduce((sum, word) => sum + uprightsIn(word), 0);
  return vertical >= MIN_CHARACTERS && vertical > all * MIN_SHARE ? found : new Set();
}

const uprightsIn = ({ text }: Text) => text.match(UPRIGHT)?.length ?? 0;
const widthOf = ({ left, right }: Box) => right - left;
const isTall = (word: Text) => heightOf(word) > 1.5 * widthOf(word);

/** Whether a word is one upright character, which may have a mark. */
function isUpright({ text }: Text): boolean {
  const [character = '', ...others] = text.replace(/\p{M}$/u, '');
  return others.length === 0 && character.match(UPRIGHT) !== null;
}

/** Whether a word is directly below another one, in the same vertical line. */
function isBelow(before: Text, word: Text): boolean {
  const pair = [before, word];
  const size = Math.max(...pair.map(widthOf));
  if (!pair.some(isUpright) || pair.some((one) => !isUpright(one) && heightOf(one) < size)) {
    return false;
  }
  const center = (before.left + before.right - word.left - word.right) / 2;
  const step = word.top - before.top;
  if (Math.abs(center) > size * MAX_OFF || step <= 0) return false;
  return isUpright(before)
    ? step < size * MAX_STEP
    : Math.abs(word.top - before.bottom) < size * MAX_GAP;
}

/** Returns the word of a vertical line as a word of a horizontal one. */
function turned(word: StyledWord, width: number): StyledWord {
  // The boxes of characters in Type 3 fonts may be much higher than the characters.
  const size = widthOf(word);
  const height = isUpright(word) ? Math.min(heightOf(word), size) : heightOf(word);
  return { ...word, isTurned: true, ...turnedBox({ ...word, bottom: word.top + height }, width) };
}

const turnedBox = ({ left, top, right, bottom }: Box, width: number): Box => ({
  left: top,
  top: width - right,
  right: bottom,
  bottom: width - left,
});

/** Returns a block of vertical text with its box on the page. Its lines remain turned. */
const turnedBack = (block: Block, width: number): Block => ({
  ...block,
  left: width - block.bottom,
  top: block.left,
  right: width - block.top,
  bottom: block.right,
});

const mirrored = <Each extends Box>(box: Each, width: number): Each => ({
  ...box,
  left: width - box.right,
  right: width - box.left,
});

/** Returns a block of a mirrored page with the boxes that it has on the page. */
const mirroredBack = (block: Block, width: number): Block => ({
  ...mirrored(block, width),
  lines: block.lines.map((line) => ({
    ...mirrored(line, width),
    words: wordsInReadingOrder(line.words).map((word) => ({
      ...mirrored(word, width),
      isMirrored: false,
      isOrdered: true,
    })),
  })),
});

/** How the text of a page is read. */
interface Direction {
  /** The indexes of the words in vertical lines. */
  vertical: ReadonlySet<number>;
  isMirrored: boolean;
}

/** Returns the blocks of a page in reading order. The words of a vertical page are in drawing order. */
export function blocksInDirection(
  words: StyledWord[],
  { vertical, isMirrored }: Direction,
  drawing: PageDrawing | undefined,
  isTagged: boolean,
): Block[] {
  const { width = 0, rules = [], shapes = [] } = drawing ?? {};
  if (vertical.size > 0) return verticalBlocks(words, vertical, drawing, isTagged);
  readOppositeWords(words, isMirrored);
  const blocksOf = (all: StyledWord[], lines: readonly Box[], bullets: readonly Box[]) => {
    const level = withRubyText(levelText(all));
    if (isTagged) return taggedBlocks(level, lines);
    markBullets(level, bullets);
    return untaggedBlocks(level, lines);
  };
  if (!isMirrored) return blocksOf(words, rules, shapes);
  const boxes = [rules, shapes].map((some) => some.map((box) => mirrored(box, width)));
  const ordered = linesOf(words.map((word) => ({ ...mirrored(word, width), isMirrored: true })));
  const read = ordered.flatMap((line) => inLineOrder(line.words));
  return blocksOf(read, boxes[0]!, boxes[1]!).map((block) => mirroredBack(block, width));
}

/** Sorts the words of a line on a mirrored page. A line without right-to-left words begins at the left. */
const inLineOrder = (words: readonly StyledWord[]): StyledWord[] =>
  hasRightToLeft(words)
    ? words.toSorted((a, b) => a.left - b.left)
    : words.toSorted((a, b) => b.left - a.left);

function verticalBlocks(
  words: readonly StyledWord[],
  vertical: ReadonlySet<number>,
  drawing: PageDrawing | undefined,
  isTagged: boolean,
): Block[] {
  const { width = 0, rules = [], shapes = [] } = drawing ?? {};
  if (isTagged) {
    const read = words.map((word, at) => (vertical.has(at) ? turned(word, width) : word));
    const isVertical = ({ lines }: Block) => lines[0]?.words[0]?.isTurned === true;
    return taggedBlocks(withRubyText(levelText(read))).map((block) =>
      isVertical(block) ? turnedBack(block, width) : block,
    );
  }
  const level = words.filter((_, at) => !vertical.has(at));
  const lines = words.filter((_, at) => vertical.has(at)).map((word) => turned(word, width));
  markBullets(
    lines,
    shapes.map((box) => turnedBox(box, width)),
  );
  const turnedRules = rules.map((box) => turnedBox(box, width));
  const body = untaggedBlocks(withRubyText(lines), turnedRules).map((block) =>
    turnedBack(block, width),
  );
  const top = body.reduce((least, block) => Math.min(least, block.top), Number.POSITIVE_INFINITY);
  const others = untaggedBlocks(levelText(level));
  const isAbove = (block: Block) => block.bottom <= top;
  return [...others.filter(isAbove), ...body, ...others.filter((block) => !isAbove(block))];
}
