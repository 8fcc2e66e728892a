/**
 * Finds the blocks of a page in reading order. Blocks include headings, paragraphs, list items, tables, code, footnotes
 * and figures.
 */
import type { Box } from '../../pdf/page-space.ts';
import type { StructureElement } from '../../pdf/structure-tree.ts';
import { around, overlaps } from './boxes.ts';
import { hasBullet, nestItems } from './drawn-bullets.ts';
import {
  flowedText,
  isBold,
  isMono,
  type Line,
  paragraphsOf,
  sizeOf,
  startsItem,
} from './page-lines.ts';
import { linesOf } from './reading-order.ts';
import { ruledTables } from './ruled-tables.ts';
import type { StyledWord } from './styled-words.ts';
import { findTables } from './tables.ts';
import { isInCaption, taggedRows } from './tagged-tables.ts';

export type BlockType =
  | 'artifact'
  | 'code'
  | 'figure'
  | 'footnote'
  | 'heading'
  | 'list item'
  | 'paragraph'
  | 'table';

export interface Block extends Box {
  type: BlockType;
  lines: Line[];
  /** The level of a heading, from 1 to 6, or the depth of a list item, from 1. */
  level?: number;
  /** The text of a table's cells by row. */
  rows?: string[][];
}

/** The structure tree determines the order of a page only if at least this share of the page's words is tagged. */
const MIN_TAGGED = 0.7;
const HEADING = /^H([1-6])$/;
const BLOCK_TYPES = new Set([
  'P',
  'H',
  'Title',
  'Caption',
  'Code',
  'BlockQuote',
  'Formula',
  'TOCI',
]);
const MAY_BE_CODE = new Set(['P', 'BlockQuote']);
const INLINE_TYPES = new Set(['Code', 'Em', 'Link', 'Span', 'Strong']);
const FOOTNOTES = new Set(['Note', 'FENote', 'Footnote', 'Endnote']);

/** Whether the structure tree contains the page's text. Artifacts, such as running headers, do not count. */
export function isTagged(words: readonly StyledWord[]): boolean {
  const content = words.filter(({ isArtifact }) => !isArtifact);
  const tagged = content.filter(({ order }) => order !== undefined).length;
  return tagged > 0 && tagged >= content.length * MIN_TAGGED;
}

/** Returns the blocks of a tagged page in the order of its structure tree. `words` are in drawing order. */
export function taggedBlocks(words: readonly StyledWord[]): Block[] {
  const artifacts = words.filter(({ isArtifact }) => isArtifact);
  const ordered = inLogicalOrder(words.filter(({ isArtifact }) => !isArtifact));
  const groups: { holder: StructureElement | undefined; words: StyledWord[] }[] = [];
  for (const word of ordered) {
    const holder = word.element && holderOf(word.element);
    const group = groups.at(-1);
    if (group && (group.holder === holder || !word.element)) group.words.push(word);
    else groups.push({ holder, words: [word] });
  }
  const isTypewritten = isMono({ words: ordered });
  const blocks = groups.flatMap(({ holder, words: own }) => blocksOf(holder, own, isTypewritten));
  const top = blocks.reduce((least, block) => Math.min(least, block.top), Number.POSITIVE_INFINITY);
  const marginal = artifacts.length > 0 ? paragraphsOf(linesOf(artifacts)) : [];
  const margins = marginal.map((lines) => blockOf('artifact', lines));
  const isAbove = (block: Block) => block.bottom <= top;
  return [...margins.filter(isAbove), ...blocks, ...margins.filter((block) => !isAbove(block))];
}

/**
 * Sorts words by their position in the structure tree. An untagged word follows the word before it in drawing order.
 */
function inLogicalOrder(words: readonly StyledWord[]): StyledWord[] {
  let last = -1;
  const keyed = words.map((word) => {
    last = word.order ?? last;
    return { word, order: last };
  });
  return keyed.sort((a, b) => a.order - b.order).map(({ word }) => word);
}

function ancestors(element: StructureElement): StructureElement[] {
  const list: StructureElement[] = [];
  for (let next: StructureElement | undefined = element; next; next = next.parent) list.push(next);
  return list;
}

/** Returns the element or ancestor whose words form one block, such as a table, a list item or a heading. */
function holderOf(element: StructureElement): StructureElement {
  const chain = ancestors(element);
  const table = chain.findLast(({ type }) => type === 'Table');
  if (table) return table;
  const item = chain.find(({ type }) => type === 'LI' || FOOTNOTES.has(type));
  if (item) return item;
  const blocks = chain.filter(({ type }) => BLOCK_TYPES.has(type) || HEADING.test(type));
  const [block] = blocks;
  if (block && block.type !== 'Code') return block;
  // Code within a paragraph is not a block.
  const paragraph = blocks.find(({ type }) => type !== 'Code' && type !== 'BlockQuote');
  return paragraph ?? containerOf(element, block) ?? block ?? element;
}

/**
 * Returns the element whose text Chromium divides at each change of font, because it tags each part and most HTML
 * elements as NonStruct. Returns undefined if `code` is all of its content.
 */
function containerOf(
  element: StructureElement,
  code: StructureElement | undefined,
): StructureElement | undefined {
  if (element.type !== 'NonStruct') return undefined;
  let container = element.parent;
  while (container && INLINE_TYPES.has(container.type)) container = container.parent;
  if (container?.type !== 'NonStruct') return undefined;
  return code && container.kids.length === 1 ? undefined : container;
}

/** Returns the blocks of an element's words. Paragraphs of a typewritten page are not code. */
function blocksOf(
  holder: StructureElement | undefined,
  words: readonly StyledWord[],
  isTypewritten: boolean,
): Block[] {
  const type = holder?.type ?? 'NonStruct';
  const lines = linesOf(words);
  const level = HEADING.exec(type)?.[1];
  if (level) return [{ ...blockOf('heading', lines), level: Number(level) }];
  if (type === 'H' || type === 'Title') return [{ ...blockOf('heading', lines), level: 1 }];
  if (type === 'Table') {
    const caption = words.filter(isInCaption);
    if (caption.length > 0) {
      const cells = words.filter((word) => !isInCaption(word));
      const table = cells.length > 0 ? blocksOf(holder, cells, isTypewritten) : [];
      return [blockOf('paragraph', linesOf(caption)), ...table];
    }
    const rows = taggedRows(holder!, words);
    // A table whose rows have only one cell with text is used only for layout.
    const isTable = rows.some((row) => row.filter((text) => text !== '').length > 1);
    if (isTable) return [{ ...blockOf('table', lines), rows }];
  }
  if (type === 'LI') {
    const depth = ancestors(holder!).filter((above) => above.type === 'L').length;
    return [{ ...blockOf('list item', lines), level: Math.max(1, depth) }];
  }
  if (FOOTNOTES.has(type)) return [blockOf('footnote', lines)];
  if (type === 'Code') return [blockOf('code', lines)];
  const isPlain = !BLOCK_TYPES.has(type);
  // Chromium tags preformatted text as NonStruct, and other programs tag it as P.
  const mayBeCode = isPlain || (MAY_BE_CODE.has(type) && !isTypewritten);
  if (mayBeCode && lines.every(isMono)) return [blockOf('code', lines)];
  if (!isPlain) return [blockOf('paragraph', lines)];
  return paragraphsOf(lines).map((paragraph) => blockOf('paragraph', paragraph));
}

/** Returns the blocks of an untagged page. `words` are in reading order, and `rules` are the lines that it draws. */
export function untaggedBlocks(words: readonly StyledWord[], rules: readonly Box[] = []): Block[] {
  const tables = findTables(words);
  // Some tables have lines only between groups of rows, so tables that are found by their columns take precedence.
  const isFound = (word: StyledWord) => tables.some((table) => table.words.has(word));
  tables.push(...ruledTables(words, rules).filter((table) => ![...table.words].some(isFound)));
  const blocks: Block[] = [];
  const done = new Set<unknown>();
  let pending: StyledWord[] = [];
  const flush = () => {
    for (const lines of paragraphsOf(linesOf(pending))) blocks.push(untaggedBlock(lines));
    pending = [];
  };
  for (const word of words) {
    const table = tables.find((found) => found.words.has(word));
    if (!table) pending.push(word);
    else if (!done.has(table)) {
      done.add(table);
      flush();
      blocks.push({ ...blockOf('table', linesOf([...table.words])), rows: table.rows });
    }
  }
  flush();
  nestItems(blocks);
  return blocks;
}

function untaggedBlock(lines: Line[]): Block {
  if (lines.every(isMono)) return blockOf('code', lines);
  if (startsItem(lines[0]!)) return { ...blockOf('list item', lines), level: 1 };
  return blockOf('paragraph', lines);
}

const blockOf = (type: BlockType, lines: Line[]): Block => ({ ...around(lines), type, lines });

export const figureBlock = (box: Box): Block => ({ ...around([box]), type: 'figure', lines: [] });

/**
 * The minimum font size of an untagged heading, relative to the body text. A bold heading may be smaller if the body
 * text is not bold.
 */
const HEADING_RATIO = 1.15;
const MAY_BE_HEADING = new Set<BlockType>(['paragraph', 'list item', 'code']);
const MAX_HEADING_LINES = 3;
const MAX_HEADING_WORDS = 20;

/** Converts paragraphs to headings by size and weight, on all pages of a document without tagged headings. */
export function markHeadings(pages: readonly (readonly Block[])[]): void {
  const blocks = pages.flat();
  if (blocks.some(({ type }) => type === 'heading')) return;
  const letters = new Map<number, number>();
  let bold = 0;
  let all = 0;
  for (const word of blocks.flatMap(({ lines }) => lines.flatMap((line) => line.words))) {
    const size = rounded(word.size);
    letters.set(size, (letters.get(size) ?? 0) + word.text.length);
    all += word.text.length;
    if (word.isBold) bold += word.text.length;
  }
  const [body = 0] = [...letters].reduce((most, next) => (next[1] > most[1] ? next : most), [0, 0]);
  const isBodyBold = bold * 2 > all;
  const found = blocks.filter((block) => {
    const words = block.lines.reduce((sum, line) => sum + line.words.length, 0);
    if (!MAY_BE_HEADING.has(block.type) || hasBullet(block)) return false;
    if (block.lines.length > MAX_HEADING_LINES || words > MAX_HEADING_WORDS) return false;
    const text = flowedText(block.lines);
    // Lines with leaders belong to a table of contents.
    if (!/\p{L}{2}/u.test(text) || /[.,;:]$|\.{4}|(?:\. ){4}/.test(text)) return false;
    const size = Math.min(...block.lines.map(sizeOf));
    if (size >= body * HEADING_RATIO) return true;
    return !isBodyBold && block.lines.every(isBold) && size >= body * 0.95;
  });
  const sizes = [...new Set(found.map((block) => rounded(sizeOf(block.lines[0]!))))];
  sizes.sort((a, b) => b - a);
  const levels = new Map(sizes.slice(0, 6).map((size, at) => [size, at + 1]));
  const headings = new Set(found);
  const names = new Set(pages.flatMap((page) => levelHeadings(page, headings)));
  for (const block of found.filter((one) => !names.has(one))) {
    block.type = 'heading';
    block.level = levels.get(rounded(sizeOf(block.lines[0]!))) ?? 6;
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
    const sizes = [block, next].map(({ lines }) => rounded(sizeOf(lines[0]!)));
    return sizes[0] === sizes[1] && areLevel(block, next) ? [block, next] : [];
  });
}

function areLevel(one: Block, other: Block): boolean {
  const middle = (other.top + other.bottom) / 2;
  return middle > one.top && middle < one.bottom && !overlaps(one, other);
}

const rounded = (size: number) => Math.round(size * 2) / 2;
