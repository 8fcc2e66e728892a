/** Extracts excerpts from passages for the search results. */
import { stemsOf } from '../../content/terms.ts';

const MAX_CHARACTERS = 220;

/**
 * Returns a single line of plain text from a passage in Markdown. A text of more than 220 characters is cut, and begins
 * with the first sentence that contains one of the stems. Tables are reduced to the rows that contain one of the stems.
 */
export function excerptOf(markdown: string, stems: readonly string[]): string {
  const wanted = new Set(stems);
  const isMatch = (text: string) => stemsOf(text).some((stem) => wanted.has(stem));
  const text = plain(markdown.replace(/^\|.*\|$/gm, (row) => (isMatch(row) ? rowText(row) : '')));
  if (text.length > MAX_CHARACTERS) return cut(text, isMatch);
  // A last sentence that ends in a colon is dropped, because it may introduce a code block, which is not shown.
  return text.endsWith(':') ? text.slice(0, text.lastIndexOf('. ') + 1) : text;
}

function cut(text: string, isMatch: (text: string) => boolean): string {
  const sentences = text.split(/(?<=[.;:!?]) /);
  const first = Math.max(sentences.findIndex(isMatch), 0);
  const rest = sentences.slice(first).join(' ');
  const beginning =
    rest.length > MAX_CHARACTERS
      ? `${rest.slice(0, rest.lastIndexOf(' ', MAX_CHARACTERS))} …`
      : rest;
  return first > 0 ? `… ${beginning}` : beginning;
}

/** Converts Markdown to a single line of text without code blocks. */
const plain = (markdown: string): string =>
  markdown
    .replace(/^```[\s\S]*?(?:^```|$(?![\s\S]))/gm, ' ')
    .replace(/^ *(?:[-*]|\d+\.) /gm, '')
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/[`*|]|^#+ |^> /gm, '')
    .replace(/\s+/g, ' ')
    .trim();

/** Returns the text of a table row, without empty cells. */
const rowText = (row: string): string =>
  `${row
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(' · ')};`;
