/** Formats the blocks of a document as Markdown or as plain text. */
import type { Block } from './page-blocks.ts';
import { BULLET, flowedText, textOf } from './page-lines.ts';
import type { StyledWord } from './styled-words.ts';

/** Cells are separated by two spaces, like words in columns. */
const CELL_SEPARATOR = '  ';
const INDENT = '  ';

/** Formats the blocks of a page as text. Each line of the page and each row of a table becomes one line. */
export const plainText = (blocks: readonly Block[]): string =>
  blocks
    .map(({ rows, lines }) =>
      (
        rows?.map((row) => row.join(CELL_SEPARATOR).trimEnd()) ?? lines.map((line) => textOf(line))
      ).join('\n'),
    )
    .filter((text) => text !== '')
    .join('\n\n');

/** Formats the blocks of a page as Markdown (CommonMark with GitHub-style tables and footnotes). */
export function markdown(blocks: readonly Block[], page: number): string {
  let text = '';
  let before: Block | undefined;
  for (const block of blocks) {
    const written = blockMarkdown(block, page);
    if (written === '') continue;
    const isList = block.type === 'list item' && before?.type === 'list item';
    text += before ? (isList ? '\n' : '\n\n') + written : written;
    before = block;
  }
  return text;
}

function blockMarkdown(block: Block, page: number): string {
  const { type, lines, level = 1, rows } = block;
  const text = withLinks(flowedText(lines, wordMarkdown).trim());
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
      return INDENT.repeat(level - 1) + itemMarkdown(text);
    case 'table':
      return tableMarkdown(rows ?? []);
    case 'paragraph':
      // The beginning of a paragraph must not be parsed as a heading, a block quote or a list item.
      return text.replace(/^(#{1,6}\s|>|[-+*]\s|\d+[.)]\s)/, '\\$1');
  }
}

/** Joins consecutive links with the same target, because each word of a link is a separate link. */
const withLinks = (text: string) => text.replace(/\]\(([^()\s]+)\)( ?)\[(?=[^\]]*\]\(\1\))/g, '$2');

/** Returns the lines of a code block. The indentation is computed from the position of each line's first word. */
function codeLines({ left, lines }: Block): string[] {
  return lines.map((line) => {
    const [first] = line.words;
    const width = first ? (first.right - first.left) / Math.max(1, first.text.length) : 1;
    const indent = Math.min(80, Math.max(0, Math.round((line.left - left) / Math.max(0.1, width))));
    return ' '.repeat(indent) + textOf(line);
  });
}

function itemMarkdown(text: string): string {
  const [first = '', ...rest] = text.split(' ');
  const label = first.replace(/^\\/, '');
  if (!BULLET.test(label)) return `- ${text}`;
  const number = /^\(?(\d{1,3})[.)]$/.exec(label)?.[1];
  return `${number ? `${number}.` : '-'} ${number || !/\w/.test(label) ? '' : `${label} `}${rest.join(' ')}`;
}

function tableMarkdown(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(...rows.map((row) => row.length), 1);
  const line = (row: readonly string[]) =>
    `| ${Array.from({ length: columns }, (_, at) => cell(row[at] ?? '')).join(' | ')} |`;
  const [head = [], ...body] = rows;
  const rule = `|${' --- |'.repeat(columns)}`;
  return [line(head), rule, ...body.map(line)].join('\n');
}

const cell = (text: string) => escaped(text).replaceAll('|', '\\|').replace(/\s+/g, ' ');

/** Escapes characters that are special in Markdown. */
const escaped = (text: string) => text.replace(/[\\`*_[\]<]/g, '\\$&');

const wordMarkdown = ({ text, link }: StyledWord): string =>
  link === undefined ? escaped(text) : `[${escaped(text)}](${link})`;
