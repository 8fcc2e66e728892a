/** Formats the blocks of a document as Markdown or as plain text. */

import { extend } from './boxes.ts';
import { withWholeWords } from './line-hyphens.ts';
import { escaped, markedWords, wordMarkdown } from './marked-words.ts';
import type { Block } from './page-blocks.ts';
import {
  BULLET,
  flowedText,
  fontSizeOf,
  hasSizeOf,
  isCircle,
  type Line,
  SENTENCE_END,
  textOf,
} from './page-lines.ts';
import type { ReadPage } from './page-reading.ts';
import { isForced } from './paragraph-starts.ts';

/** Cells are separated by two spaces, like words in columns. */
const CELL_SEPARATOR = '  ';
/** The minimum number of words in a line of prose. Labels in a form have fewer. */
const MIN_WORDS_OF_LINE = 4;
/** The maximum number of consecutive spaces and blank lines in code. */
const MAX_SPACES = 80;
const MAX_BLANK_LINES = 2;
/** The maximum vertical and horizontal distances between two parts of code, in font sizes. */
const MAX_CODE_GAP = 3;
const MAX_INDENT = 5;
/** The maximum error of a distance between lines, as a share of the usual distance. */
const ROUNDING = 0.2;
/** A page with at most this many paragraphs and list items is never scattered. */
const MAX_UNSCATTERED_BLOCKS = 20;
/** A page with at least this many words per paragraph or list item is never scattered. */
const MIN_WORDS_PER_BLOCK = 2;
const MAY_BE_MARKED = new Set<Block['type']>(['paragraph', 'list item']);
/** Matches the bullet of an item that no space separates from its text. */
const CLOSE_BULLET = /^[・●○■□◆◇]/u;

/**
 * Formats the blocks of a page as text. Each line of the page and each row of a table becomes one line. The second part
 * of a word that is split across lines follows its first part, as in the output of pdftotext.
 */
export const plainText = (blocks: readonly Block[]): string =>
  blocks
    .map(blockText)
    .filter((text) => text !== '')
    .join('\n\n');

function blockText({ type, rows, lines }: Block): string {
  if (rows) return rows.map((row) => row.join(CELL_SEPARATOR).trimEnd()).join('\n');
  const text = lines.map((line) => textOf(line)).join('\n');
  return type === 'code' ? text : withWholeWords(text).trimEnd();
}

/** Whether an untagged page consists mostly of single words. The plain text of such a page joins the words. */
export function isScattered({ blocks, isTagged }: Pick<ReadPage, 'blocks' | 'isTagged'>): boolean {
  const paragraphs = blocks.filter(({ type }) => type === 'paragraph' || type === 'list item');
  const words = paragraphs.flatMap(({ lines }) => lines.flatMap((line) => line.words)).length;
  const isSparse = words < paragraphs.length * MIN_WORDS_PER_BLOCK;
  return (
    !isTagged && isSparse && paragraphs.length > Math.max(MAX_UNSCATTERED_BLOCKS, blocks.length / 2)
  );
}

/** Formats the blocks of a page as Markdown (CommonMark with GitHub-style tables and footnotes). */
export function markdown(blocks: readonly Block[], page: number): string {
  let text = '';
  let before: Block | undefined;
  const markers: number[] = [];
  for (const block of withJoinedBlocks(blocks)) {
    let written = blockMarkdown(block, page);
    if (written === '') continue;
    const isItem = block.type === 'list item';
    const isList = isItem && before?.type === 'list item';
    if (!isList) markers.length = 0;
    if (isItem) written = indentedItem(written, block.level, markers);
    text += before ? (isList ? '\n' : '\n\n') + written : written;
    before = block;
  }
  return text;
}

/**
 * Indents a list item by the widths of the markers of the items that contain it, because CommonMark nests items by
 * these widths. `markers` contains the widths of the markers of the item before it and of the items that contain that
 * one.
 */
function indentedItem(item: string, level = 1, markers: number[]): string {
  const containing = Array.from({ length: level - 1 }, (_, depth) => markers[depth] ?? 0);
  markers.splice(0, markers.length, ...containing, item.indexOf(' ') + 1);
  return ' '.repeat(containing.reduce((sum, width) => sum + width, 0)) + item;
}

/**
 * Joins paragraphs that are split across columns, and code that is split by blank lines. The second part of a paragraph
 * begins in lower case, above the first part.
 */
function withJoinedBlocks(blocks: readonly Block[]): Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const before = joined.at(-1);
    if (before && (continuesAbove(before, block) || continuesCode(before, block))) {
      extend(before, block);
      for (const line of block.lines) before.lines.push(line);
    } else joined.push({ ...block, lines: [...block.lines] });
  }
  return joined;
}

function continuesAbove(before: Block, block: Block): boolean {
  const [last, first] = [before.lines.at(-1), block.lines[0]];
  if (before.type !== 'paragraph' || block.type !== 'paragraph' || !last || !first) return false;
  if (first.bottom > last.top || !hasSizeOf(first, last)) return false;
  if (Math.min(first.words.length, last.words.length) < MIN_WORDS_OF_LINE) return false;
  return !SENTENCE_END.test(textOf(last)) && /^\p{Ll}/u.test(textOf(first));
}

/** Whether a block is code that is close to the end of the code before it, such as directly below or beside it. */
function continuesCode(before: Block, block: Block): boolean {
  const [last, first] = [before.lines.at(-1), block.lines[0]];
  if (before.type !== 'code' || block.type !== 'code' || !last || !first) return false;
  const size = fontSizeOf(first);
  const indent = Math.max(block.left - before.right, before.left - block.right);
  const gap = first.top - last.bottom;
  return (
    hasSizeOf(first, last) && Math.abs(gap) < size * MAX_CODE_GAP && indent < size * MAX_INDENT
  );
}

function blockMarkdown(block: Block, page: number): string {
  const { type, lines, level = 1, rows } = block;
  const marked = MAY_BE_MARKED.has(type) ? markedWords(lines) : undefined;
  const [first, second] = lines[0]?.words ?? [];
  if (type === 'list item' && first && isCircle(first, second)) marked?.set(first, '◦');
  const text = withJoinedLinks(
    flowedText(
      lines,
      (word) => marked?.get(word) ?? wordMarkdown(word),
      // Addresses and verses keep their lines.
      (at) => type === 'paragraph' && isForced(lines, at),
    ).trim(),
  );
  switch (type) {
    case 'artifact':
      return '';
    case 'code':
      return `\`\`\`\n${codeLines(block).join('\n')}\n\`\`\``;
    case 'figure':
      return `[image, page ${page}]`;
    case 'footnote': {
      const [, label, rest] = /^\\?\[?(\d{1,3}|\*|†)\\?[\].)]?\s(.*)$/s.exec(text) ?? [];
      return label && rest ? `[^${label}]: ${rest.trimStart()}` : text;
    }
    case 'heading':
      return text && `${'#'.repeat(level)} ${text}`;
    case 'list item':
      return itemMarkdown(text);
    case 'table':
      return tableMarkdown(rows ?? []);
    case 'paragraph':
      // The beginning of a line must not be parsed as a heading, its underline, a block quote or a list item.
      return text
        .replace(/^(#{1,6}\s|>|[-+*]\s|=+$|-+$)/gm, '\\$1')
        .replace(/^(\d{1,9})([.)]\s)/gm, '$1\\$2');
  }
}

/** Joins consecutive links with the same target, because each word of a link is a separate link. */
const withJoinedLinks = (text: string) =>
  text.replace(/\]\(([^()\s]+)\)( ?)\[(?=[^\]]*\]\(\1\))/g, '$2');

/**
 * Returns the lines of a code block with their indentation. Spaces and blank lines are computed from the positions of
 * the words.
 */
function codeLines({ left, lines }: Block): string[] {
  const height = smallestStep(lines);
  const texts: string[] = [];
  let before: Line | undefined;
  for (const line of lines) {
    const [first] = line.words;
    const width = first ? (first.right - first.left) / Math.max(1, first.text.length) : 1;
    const spaces = (from: number) => ' '.repeat(spacesIn(line.left - from, width));
    if (before && isLevel(before, line) && line.left > before.right) {
      texts.push(`${texts.pop()!}${spaces(before.right)}${textOf(line)}`);
    } else {
      const step = before ? line.top - before.top : 0;
      const blank = Math.floor(step / height + ROUNDING) - 1;
      for (let at = 0; at < Math.min(MAX_BLANK_LINES, blank); at += 1) texts.push('');
      texts.push(spaces(left) + textOf(line));
    }
    before = line;
  }
  return texts;
}

const spacesIn = (gap: number, width: number) =>
  Math.min(MAX_SPACES, Math.max(0, Math.round(gap / Math.max(0.1, width))));

const isLevel = (before: Line, line: Line) => {
  const middle = (line.top + line.bottom) / 2;
  return middle > before.top && middle < before.bottom;
};

/** Returns the smallest distance between two lines, which is the distance if no blank line separates them. */
const smallestStep = (lines: readonly Line[]) =>
  lines.slice(1).reduce((least, line, at) => {
    const before = lines[at]!;
    return isLevel(before, line) || line.top <= before.top
      ? least
      : Math.min(least, line.top - before.top);
  }, Number.POSITIVE_INFINITY);

function itemMarkdown(text: string): string {
  const [first = '', ...rest] = text.split(' ');
  const label = first.replace(/^\\/, '');
  if (!BULLET.test(label)) return `- ${text.replace(CLOSE_BULLET, '')}`;
  const number = /^\(?(\d{1,3})[.)]$/.exec(label)?.[1];
  return `${number ? `${number}.` : '-'} ${number || !/[\p{L}\p{N}]/u.test(label) ? '' : `${label} `}${rest.join(' ')}`;
}

/** Formats a table. All rows have the same number of cells. */
function tableMarkdown(rows: readonly (readonly string[])[]): string {
  const line = (row: readonly string[]) => `| ${row.map(cell).join(' | ')} |`;
  const [head = [], ...body] = rows;
  const rule = `|${' --- |'.repeat(head.length)}`;
  return [line(head), rule, ...body.map(line)].join('\n');
}

const cell = (text: string) => escaped(text).replaceAll('|', '\\|').replace(/\s+/g, ' ');
