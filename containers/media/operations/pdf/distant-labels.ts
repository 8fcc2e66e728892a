/**
 * Joins labels with the text that they belong to if the gap between them is as wide as a gap between columns: bullets,
 * numbers of list items and sections, and the page numbers of a table of contents.
 */
import { extend, heightOf } from './boxes.ts';
import { isLevel, levelWords } from './drawn-spaces.ts';
import { BULLET, isCircle, type Line, textOf } from './page-lines.ts';
import type { StyledWord } from './styled-words.ts';

/** Matches bullets. Dashes and asterisks are not included, because they also stand for empty table cells. */
const SYMBOL = /^[•◦▪‣⁃●○■□▶\u0088\uf0a7\uf0b7]$/u;
/** The maximum distance between a label and its text, in letter heights. */
const MAX_GAP = 4;
/** The width of the space between a moved bullet and its text, in letter heights. */
const SPACE = 0.2;
const LEADERS = /(?:\. ?){4}$/;
/** The number of words at the end of a line in which leaders are searched. Each of the four dots may be a word. */
const LEADER_WORDS = 4;
const BEGINS_WITH_LEADERS = /^(?:\. ?){4}/;
/** Matches the number of a subsection, such as 2.1. */
const SECTION = /^\d{1,2}(?:\.\d{1,2}){1,4}\.?$/;
const PAGE_NUMBER = /^(?:\d{1,4}|[ivxlc]{1,6})$/;

/**
 * Moves each bullet at the start of a line directly before its text, in the order of the words and on the page.
 * pdftotext reads bullets that are far from their text as a column. The words in `tables` are in table cells.
 */
export function withNearBullets(
  words: readonly StyledWord[],
  tables: ReadonlySet<StyledWord>,
): StyledWord[] {
  if (!words.some(({ text, isMono }) => SYMBOL.test(text) || (isMono && text === 'o'))) {
    return [...words];
  }
  const before = new Map(words.map((word, at) => [word, words[at - 1]]));
  const bullets = new Map<StyledWord, StyledWord>();
  const moved = new Set<StyledWord>();
  for (const row of levelWords(words)) {
    const level = row.toSorted((a, b) => a.left - b.left);
    const inRow = new Set(level);
    for (const [at, bullet] of level.entries()) {
      const text = level[at + 1];
      if (!text || tables.has(bullet) || !isBulletOf(bullet, text)) continue;
      // The bullet may begin a line in a column of the page, but not follow another word of its line.
      const previous = before.get(bullet);
      if (level[at - 1] && previous && inRow.has(previous)) continue;
      bullets.set(text, { ...bullet, right: text.left - heightOf(text) * SPACE });
      moved.add(bullet);
    }
  }
  return words.flatMap((word) => {
    if (moved.has(word)) return [];
    const bullet = bullets.get(word);
    return bullet ? [bullet, word] : [word];
  });
}

function isBulletOf(bullet: StyledWord, text: StyledWord): boolean {
  const isSymbol = SYMBOL.test(bullet.text) || isCircle(bullet, text);
  if (!isSymbol || SYMBOL.test(text.text)) return false;
  const gap = text.left - bullet.right;
  return gap > 0 && gap < heightOf(text) * MAX_GAP;
}

/**
 * Joins the bullet or number of a list item, the number of a section, and the leaders and page number of a table of
 * contents, with the line that they belong to.
 */
export function withDistantLabels(lines: readonly Line[]): Line[] {
  const joined: Line[] = [];
  for (const line of lines) {
    const before = joined.at(-1);
    if (before && isLevel(before, line) && line.left > before.right && areParts(before, line)) {
      extend(before, line);
      for (const word of line.words) before.words.push(word);
    } else joined.push({ ...line, words: [...line.words] });
  }
  return joined;
}

function areParts(before: Line, line: Line): boolean {
  const [label, second] = before.words;
  const { text: first, isMono } = label!;
  const isBullet = BULLET.test(first) || (isMono && first === 'o');
  const isLabel = !second && (isBullet || SECTION.test(first));
  if (isLabel && line.left - before.right < heightOf(line) * MAX_GAP) return true;
  const text = textOf(line);
  if (BEGINS_WITH_LEADERS.test(text)) return true;
  // Earlier words are not read, because a line may consist of thousands of joined parts.
  const end = before.words.slice(-LEADER_WORDS);
  return PAGE_NUMBER.test(text) && LEADERS.test(textOf({ words: end }));
}
