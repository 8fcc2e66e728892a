/** Finds the headings of a document without tagged headings. */
import { areSideBySide } from './boxes.ts';
import { isDiagonal } from './diagonal-words.ts';
import { hasBullet } from './drawn-bullets.ts';
import type { Block, BlockType } from './page-blocks.ts';
import { flowedText, fontSizeOf, isBold } from './page-lines.ts';

/**
 * The minimum font size of an untagged heading, relative to the body text. A bold heading may be smaller if the body
 * text is not bold.
 */
const HEADING_RATIO = 1.15;
const MAY_BE_HEADING = new Set<BlockType>(['paragraph', 'list item', 'code']);
/** Matches a word, which may be a single character in Chinese, Japanese and Korean. */
const WORD = /\p{L}{2}|[\p{Script=Han}\p{Script=Hangul}]/u;
const MAX_HEADING_LINES = 3;
const MAX_HEADING_WORDS = 20;

/**
 * Converts paragraphs, list items and code to headings by size and weight, on all pages of a document without tagged
 * headings.
 */
export function markHeadings(pages: readonly (readonly Block[])[]): void {
  const blocks = pages.flat();
  if (blocks.some(({ type }) => type === 'heading')) return;
  const letters = new Map<number, number>();
  let bold = 0;
  let mono = 0;
  let all = 0;
  for (const word of blocks.flatMap(({ lines }) => lines.flatMap((line) => line.words))) {
    const size = rounded(word.size);
    letters.set(size, (letters.get(size) ?? 0) + word.text.length);
    all += word.text.length;
    if (word.isBold) bold += word.text.length;
    if (word.isMono) mono += word.text.length;
  }
  const [body = 0] = [...letters].reduce((most, next) => (next[1] > most[1] ? next : most), [0, 0]);
  const isBodyBold = bold * 2 > all;
  const isBodyMono = mono * 2 > all;
  const found = blocks.filter((block) => {
    const words = block.lines.reduce((sum, line) => sum + line.words.length, 0);
    if (!MAY_BE_HEADING.has(block.type) || hasBullet(block) || isDiagonal(block)) return false;
    if (block.lines.length > MAX_HEADING_LINES || words > MAX_HEADING_WORDS) return false;
    const text = flowedText(block.lines);
    // Lines with leaders belong to a table of contents.
    if (!WORD.test(text) || /[.,;:。、，；：]$|\.{4}|(?:\. ){4}/.test(text)) return false;
    const size = Math.min(...block.lines.map(fontSizeOf));
    if (size >= body * HEADING_RATIO) return true;
    // Bold code is a command or a keyword, unless the whole document is typewritten.
    if (block.type === 'code' && !isBodyMono) return false;
    return !isBodyBold && block.lines.every(isBold) && size >= body * 0.95;
  });
  const candidates = new Set(found);
  const names = new Set(pages.flatMap((page) => levelHeadings(page, candidates)));
  const headings = found.filter((block) => !names.has(block));
  const sizes = [...new Set(headings.map((block) => rounded(fontSizeOf(block.lines[0]!))))];
  sizes.sort((a, b) => b - a);
  const levels = new Map(sizes.slice(0, 6).map((size, at) => [size, at + 1]));
  for (const block of headings) {
    block.type = 'heading';
    block.level = levels.get(rounded(fontSizeOf(block.lines[0]!))) ?? 6;
  }
}

/**
 * Returns the headings that are level with a heading of the same size before or after them, such as the names of
 * authors below a title. Between headings that are level in two columns of a page, there is text.
 */
function levelHeadings(blocks: readonly Block[], headings: ReadonlySet<Block>): Block[] {
  return blocks.flatMap((block, at) => {
    const next = blocks[at + 1];
    if (!next || !headings.has(block) || !headings.has(next)) return [];
    const sizes = [block, next].map(({ lines }) => rounded(fontSizeOf(lines[0]!)));
    return sizes[0] === sizes[1] && areSideBySide(block, next) ? [block, next] : [];
  });
}

const rounded = (size: number) => Math.round(size * 2) / 2;
