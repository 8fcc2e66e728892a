/**
 * Finds the blocks of a page in reading order. Blocks include headings, paragraphs, list items, tables, code, footnotes
 * and figures.
 */
import type { Box } from '../../pdf/page-space.ts';
import type { StructureElement } from '../../pdf/structure-tree.ts';
import { around } from './boxes.ts';
import { withSeparateNumber, withSeparateNumbers } from './close-numbers.ts';
import { dividedBy, horizontalLines } from './crossing-lines.ts';
import { withDistantLabels, withNearBullets } from './distant-labels.ts';
import { nestItems } from './drawn-bullets.ts';
import { hasCloseLabel, isMono, type Line, paragraphsOf, startsItem } from './page-lines.ts';
import {
  consecutiveTables,
  isRuled,
  linesNear,
  tableByWord,
  tablesAndText,
  tablesOf,
} from './page-tables.ts';
import { paragraphStarts, usualGaps } from './paragraph-starts.ts';
import { linesOf } from './reading-order.ts';
import { rowsInReadingOrder } from './right-to-left.ts';
import { ruledTables } from './ruled-tables.ts';
import type { StyledWord } from './styled-words.ts';
import type { FoundTable } from './tables.ts';
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
  /** Whether a table is recognized only by the positions of its words, and not by tags or ruling lines. */
  isAligned?: boolean;
}

/** The structure tree determines the order of a page only if at least this share of the page's words is tagged. */
const MIN_TAGGED = 0.7;
const HEADING = /^H([1-6])$/;
const BLOCK_TYPES = new Set([
  'P',
  ...['H', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6'],
  'Title',
  'Caption',
  'Code',
  'BlockQuote',
  'Formula',
  'TOCI',
]);
const LAYOUT_TYPES = new Set(['Div', 'NonStruct']);
const MAY_BE_CODE = new Set(['P', 'BlockQuote']);
const INLINE_TYPES = new Set(['Code', 'Em', 'Link', 'Span', 'Strong']);
const FOOTNOTES = new Set(['Note', 'FENote', 'Footnote', 'Endnote']);

/** Whether the structure tree contains the page's text. Artifacts, such as running headers, do not count. */
export function isTagged(words: readonly StyledWord[]): boolean {
  const content = words.filter(({ isArtifact }) => !isArtifact);
  const tagged = content.filter(({ order }) => order !== undefined).length;
  return tagged > 0 && tagged >= content.length * MIN_TAGGED;
}

/** The words of an element. */
interface WordGroup {
  holder: StructureElement | undefined;
  words: StyledWord[];
}

/** Returns the blocks of a tagged page in the order of its structure tree. `words` are in drawing order. */
export function taggedBlocks(words: readonly StyledWord[], rules: readonly Box[] = []): Block[] {
  const artifacts = words.filter(({ isArtifact }) => isArtifact);
  const ordered = withNotesLast(inLogicalOrder(words.filter(({ isArtifact }) => !isArtifact)));
  const groups: WordGroup[] = [];
  for (const word of ordered) {
    const holder = word.element && holderOf(word.element);
    const group = groups.at(-1);
    if (group && (group.holder === holder || !word.element)) group.words.push(word);
    else groups.push({ holder, words: [word] });
  }
  // The heading above a long piece of code contains few of the words of a slide.
  const isTypewritten = isMono({ words: ordered }) && areMostly(groups, isMono);
  const nearLines = linesNear(rules);
  const blocks = layoutRuns(groups).flatMap((run) => layoutBlocks(run, isTypewritten, nearLines));
  // LibreOffice tags the items of nested lists as items of separate lists.
  if (blocks.every(({ type, level = 1 }) => type !== 'list item' || level === 1)) nestItems(blocks);
  const top = blocks.reduce((least, block) => Math.min(least, block.top), Number.POSITIVE_INFINITY);
  const marginal = artifacts.length > 0 ? paragraphsOf(linesOf(artifacts)) : [];
  const margins = marginal.map((lines) => blockOf('artifact', lines));
  const isAbove = (block: Block) => block.bottom <= top;
  return [...margins.filter(isAbove), ...blocks, ...margins.filter((block) => !isAbove(block))];
}

/** Whether a condition is true for at least nine tenths of these values. */
const areMostly = <Value>(values: readonly Value[], isTrue: (value: Value) => boolean): boolean =>
  values.filter(isTrue).length * 10 >= values.length * 9;

/** Groups consecutive elements that are used only for layout. */
function layoutRuns(groups: readonly WordGroup[]): WordGroup[][] {
  const runs: WordGroup[][] = [];
  let isOpen = false;
  for (const group of groups) {
    const isLayout = LAYOUT_TYPES.has(group.holder?.type ?? '');
    if (isLayout && isOpen) runs.at(-1)!.push(group);
    else runs.push([group]);
    isOpen = isLayout;
  }
  return runs;
}

/**
 * Returns the blocks of consecutive elements. Chromium tags tables without headings, and lines of labels and values,
 * as layout.
 */
function layoutBlocks(
  run: readonly WordGroup[],
  isTypewritten: boolean,
  nearLines: ReturnType<typeof linesNear>,
): Block[] {
  const all = run.length > 1 ? run.flatMap(({ words }) => words) : [];
  const tableOf = tableByWord(all.length > 0 ? consecutiveTables(all, nearLines(all)) : []);
  const placed = new Set<FoundTable>();
  return run.flatMap(({ holder, words }) =>
    tablesAndText(words, tableOf, placed, tableBlock, (text) =>
      blocksOf(holder, text, isTypewritten),
    ),
  );
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

/**
 * Moves the words of footnotes to the end, because a footnote can be within the sentence that refers to it. An untagged
 * word belongs to the same element as the word before it.
 */
function withNotesLast(words: readonly StyledWord[]): StyledWord[] {
  const [text, notes]: [StyledWord[], StyledWord[]] = [[], []];
  let isNote = false;
  for (const word of words) {
    if (word.element) isNote = FOOTNOTES.has(holderOf(word.element).type);
    (isNote ? notes : text).push(word);
  }
  return [...text, ...notes];
}

/** Returns the element or ancestor whose words form one block, such as a table, a list item or a heading. */
function holderOf(element: StructureElement): StructureElement {
  let [table, item, block, paragraph]: (StructureElement | undefined)[] = [];
  for (let next: StructureElement | undefined = element; next; next = next.parent) {
    const { type } = next;
    if (type === 'Table') table = next;
    else if (type === 'LI' || FOOTNOTES.has(type)) item ??= next;
    else if (BLOCK_TYPES.has(type)) {
      block ??= next;
      if (type !== 'Code' && type !== 'BlockQuote') paragraph ??= next;
    }
  }
  if (table ?? item) return (table ?? item)!;
  if (block && block.type !== 'Code') return block;
  // Code within a paragraph is not a block.
  return paragraph ?? containerOf(element, block) ?? block ?? element;
}

/**
 * Returns the element whose text Chromium divides at each change of font, because it tags each part and most HTML
 * elements as NonStruct. Returns undefined if there is no such element, or if `code` is all of its content.
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
    const [first, ...others] = lines;
    const item = [withSeparateNumber(first!), ...others];
    return [{ ...blockOf('list item', item), level: Math.max(1, depth) }];
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

/**
 * Returns the blocks of an untagged page. `all` are its words in reading order, and `rules` are the lines that it
 * draws.
 */
export function untaggedBlocks(all: readonly StyledWord[], rules: readonly Box[] = []): Block[] {
  const ruled = ruledTables(all, rules);
  const words = withNearBullets(all, new Set(ruled.flatMap((table) => [...table.words])));
  const tableOf = tableByWord(tablesOf(words, ruled, rules));
  const isDivided = dividedBy(horizontalLines(rules));
  const usual = usualGaps(linesOf(words));
  const blocks = tablesAndText(words, tableOf, new Set(), tableBlock, (text) => {
    const lines = withDistantLabels(withSeparateNumbers(linesOf(text)));
    const starts = paragraphStarts(lines, usual);
    const areDivided = (before: Line, line: Line) => starts.has(line) || isDivided(before, line);
    return paragraphsOf(lines, areDivided).map(untaggedBlock);
  });
  nestItems(blocks);
  return blocks;
}

function untaggedBlock(lines: Line[]): Block {
  if (lines.every(isMono)) return blockOf('code', lines);
  if (startsItem(lines[0]!) || hasCloseLabel(lines[0]!))
    return { ...blockOf('list item', lines), level: 1 };
  return blockOf('paragraph', lines);
}

const blockOf = (type: BlockType, lines: Line[]): Block => ({ ...around(lines), type, lines });

function tableBlock(table: FoundTable): Block {
  const { words, rows } = table;
  const isMirrored = [...words].some((word) => word.isMirrored);
  return {
    ...blockOf('table', linesOf([...words])),
    rows: isMirrored ? rows : rowsInReadingOrder(rows),
    isAligned: !isRuled(table),
  };
}

export const figureBlock = (box: Box): Block => ({ ...around([box]), type: 'figure', lines: [] });
