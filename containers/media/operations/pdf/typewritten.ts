/** Reads typewritten documents, such as RFCs, as prose. Monospaced words are code only in other documents. */
import { areSideBySide } from './boxes.ts';
import type { Block } from './page-blocks.ts';
import { isMono, startsItem, textOf } from './page-lines.ts';
import type { StyledWord } from './styled-words.ts';

/** Matches a word of prose. */
const WORD = /^\p{P}*\p{L}[\p{L}\p{M}]*(?:['’-][\p{L}\p{M}]+)*(?:[^\P{P}'’-]\p{P}*)?$/u;
const NUMBER = /^\p{P}*[\p{N}][\p{N}\p{P}]*$/u;
/** Matches a word of source code, such as an assignment or a call. */
const CODE = /[={}_\\$]|\p{L}{2}\(|\p{L}{2}\.\p{L}{2}|;$/u;
/** The minimum share of words of prose in a document, and in a block of it. */
const MIN_PROSE = 0.8;
const MIN_PROSE_OF_BLOCK = 0.7;
/** The maximum share of words of source code in a document. Listings with long comments have more. */
const MAX_CODE = 0.05;
/** The maximum distance in points between left edges at the same position. */
const SAME_EDGE = 2;
const MAX_HEADING_WORDS = 10;
/** The maximum number of blocks on a page of prose, each of which is compared with each other one. */
const MAX_BLOCKS = 1000;
/** Matches the number of a section. */
const SECTION = /^\d{1,2}(?:\.\d{1,2}){0,4}\.?$/;

/** Converts the code of a typewritten document without tags to paragraphs, list items and headings. */
export function readTypewritten(pages: readonly (readonly Block[])[]): void {
  const blocks = pages.flat();
  const words = wordsOf(blocks);
  if (!isMono({ words }) || shareOfProse(words) < MIN_PROSE || hasCode(words)) return;
  const prose = new Set(pages.flatMap(proseOf));
  for (const block of prose) {
    replaceBullet(block);
    block.type = startsItem(block.lines[0]!) ? 'list item' : 'paragraph';
    // Monospaced words beside the plain label of an item would be inline code.
    for (const line of block.lines) line.words = line.words.map(asProse);
  }
  if (blocks.some(({ type }) => type === 'heading')) return;
  const margin = marginOf([...prose]);
  for (const page of pages) {
    for (const block of page) {
      const level = prose.has(block) ? headingLevel(block, page, margin) : 0;
      if (level > 0) Object.assign(block, { type: 'heading', level });
    }
  }
}

const asProse = (word: StyledWord): StyledWord => ({ ...word, isMono: false });

const wordsOf = (blocks: readonly Block[]) =>
  blocks.flatMap(({ lines }) => lines.flatMap((line) => line.words));

/** Returns the share of words of prose. Numbers do not count. */
function shareOfProse(words: readonly { text: string }[]): number {
  const others = words.filter(({ text }) => !NUMBER.test(text));
  return others.filter(({ text }) => WORD.test(text)).length / Math.max(1, others.length);
}

const hasCode = (words: readonly { text: string }[]) =>
  words.filter(({ text }) => CODE.test(text)).length > words.length * MAX_CODE;

/** Returns the blocks of prose on a page. Words beside code are parts of it, such as the labels of a diagram. */
function proseOf(page: readonly Block[]): Block[] {
  if (page.length > MAX_BLOCKS) return [];
  const code = page.filter(({ type }) => type === 'code');
  const prose = code.filter(isProse);
  const found = new Set(prose);
  const others = code.filter((block) => !found.has(block));
  return prose.filter((block) => !others.some((other) => areSideBySide(other, block)));
}

/** Replaces the letter o at the start of a block with a bullet if a gap follows it. */
function replaceBullet({ lines: [line] }: Block): void {
  const [first, second] = line!.words;
  const isBullet = first!.text === 'o' && second && second.left - first!.right > first!.size;
  if (isBullet) line!.words[0] = { ...first!, text: '•' };
}

/** Whether most words of a block are words of prose, and at most the first one of its lines is indented differently. */
function isProse(block: Block): boolean {
  const [, second, ...others] = block.lines;
  return (
    others.every(({ left }) => Math.abs(left - second!.left) < SAME_EDGE) &&
    shareOfProse(wordsOf([block])) >= MIN_PROSE_OF_BLOCK
  );
}

/** Returns the left edge of most prose. */
function marginOf(blocks: readonly Block[]): number {
  const words = new Map<number, number>();
  for (const { lines } of blocks) {
    for (const line of lines) {
      const left = Math.round(line.left);
      words.set(left, (words.get(left) ?? 0) + line.words.length);
    }
  }
  return [...words].reduce((most, next) => (next[1] > most[1] ? next : most), [0, 0])[0];
}

/**
 * Returns the level of a heading, or 0 for other text. A heading is a line in capital letters, or a line that has the
 * number of a section or begins to the left of the text.
 */
function headingLevel(block: Block, page: readonly Block[], margin: number): number {
  const [line, second] = block.lines;
  if (second || line!.words.length > MAX_HEADING_WORDS) return 0;
  const text = textOf(line!);
  if (/[.,;:]$/.test(text) || !/\p{L}{3}/u.test(text)) return 0;
  if (page.some((other) => areSideBySide(block, other))) return 0;
  const [first, title] = line!.words;
  if (SECTION.test(first!.text) && /^\p{Lu}/u.test(title!.text)) {
    const level = first!.text.split('.').filter(Boolean).length;
    const at = page.indexOf(block);
    const isListed = [page[at - 1], page[at + 1]].some(
      (near) => near?.type === 'list item' && Math.abs(near.left - block.left) < SAME_EDGE,
    );
    return (level === 1 && isListed) || block.left > margin + SAME_EDGE ? 0 : level;
  }
  const isOutside = block.left < margin - SAME_EDGE && /^\p{Lu}/u.test(text);
  return isOutside || text === text.toUpperCase() ? 1 : 0;
}
