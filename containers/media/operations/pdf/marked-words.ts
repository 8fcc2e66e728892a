/** Formats words as Markdown. Marks words in a bold or monospaced font within a paragraph or a list item. */
import { BULLET, isCircle, isJoined, type Line, spacedWords } from './page-lines.ts';
import type { StyledWord } from './styled-words.ts';

type Style = 'bold' | 'code' | 'plain';

/** Consecutive words of one style. */
interface Run {
  style: Style;
  words: StyledWord[];
  /** Whether white space separates the run from the run before it. */
  hasSpace: boolean;
  /** Whether the run begins at the start of a line, and no space separates it from the line before. */
  isJoined: boolean;
}

/**
 * Code cannot contain a backtick, or the end of a link, which could be joined to another link. Leaders of a table of
 * contents are not code.
 */
const NOT_CODE = /`|\]\(|(?:\. ?){4}/;
const HAS_LETTER = /[\p{L}\p{N}]/u;
const STARTS_WITH_LETTER = /^[\p{L}\p{N}]/u;
const ENDS_WITH_LETTER = /[\p{L}\p{N}]$/u;

/** Escapes characters that are special in Markdown. */
export const escaped = (text: string): string => text.replace(/[\\`*_[\]<]/g, '\\$&');

/** Returns the Markdown of a word without marks. */
export function wordMarkdown({ text, link }: StyledWord): string {
  if (!link) return escaped(text);
  const { uri, start, end } = link;
  const label = escaped(text.slice(start, end));
  return `${escaped(text.slice(0, start))}[${label}](${uri})${escaped(text.slice(end))}`;
}

/**
 * Returns the Markdown of all words of bold text and of inline code. Only the first and last words of a run contain its
 * marks. Returns no words if most words of the block would be marked.
 */
export function markedWords(lines: readonly Pick<Line, 'words'>[]): Map<StyledWord, string> {
  const runs = runsOf(lines);
  const marked = runs.filter((run, at) => run.style !== 'plain' && mayBeMarked(runs, at));
  const all = runs.reduce((sum, { words }) => sum + words.length, 0);
  const most = marked.reduce((sum, { words }) => sum + words.length, 0);
  const result = new Map<StyledWord, string>();
  if (most * 2 > all) return result;
  for (const { style, words } of marked) {
    const mark = style === 'code' ? '`' : '**';
    for (const [at, word] of words.entries()) {
      const { before, inner, after } = partsOf(word);
      const content = style === 'code' ? inner.text : wordMarkdown(inner);
      const [opening, closing] = [at === 0 ? mark : '', at === words.length - 1 ? mark : ''];
      result.set(word, escaped(before) + opening + content + closing + escaped(after));
    }
  }
  return result;
}

/** Divides a word into its part with a style and the punctuation around it. A link is not divided. */
function partsOf(word: StyledWord): { before: string; inner: StyledWord; after: string } {
  const { text, inner, link } = word;
  if (!inner || link) return { before: '', inner: word, after: '' };
  const { start, end } = inner;
  const before = text.slice(0, start);
  return { before, inner: { ...word, text: text.slice(start, end) }, after: text.slice(end) };
}

function runsOf(lines: readonly Pick<Line, 'words'>[]): Run[] {
  const runs: Run[] = [];
  let before = '';
  for (const line of lines) {
    const spaced = spacedWords(line);
    for (const [at, { word, hasSpace }] of spaced.entries()) {
      const isBullet = BULLET.test(word.text) || isCircle(word, spaced[at + 1]?.word);
      const isLabel = runs.length === 0 && isBullet;
      const style = isLabel ? 'plain' : styleOf(word);
      const run = runs.at(-1);
      const isWhole = at === 0 && isJoined(before, word.text);
      const isDivided = run && (partsOf(run.words.at(-1)!).after || partsOf(word).before) !== '';
      if (run?.style === style && !isDivided) run.words.push(word);
      else {
        const isApart = hasSpace || (at === 0 && !isWhole);
        runs.push({ style, words: [word], hasSpace: isApart, isJoined: isWhole });
      }
      before = word.text;
    }
  }
  return runs;
}

/** A link is not code, because the address of a link is often monospaced. */
function styleOf({ isMono, isBold, link }: StyledWord): Style {
  if (isMono) return link ? 'plain' : 'code';
  return isBold ? 'bold' : 'plain';
}

/** Whether Markdown parses the marks of a run, and the marks do not divide a word. */
function mayBeMarked(runs: readonly Run[], at: number): boolean {
  const [before, run, next] = [runs[at - 1], runs[at]!, runs[at + 1]];
  const { style, words } = run;
  const text = words.map((word) => partsOf(word).inner.text).join(' ');
  if (!HAS_LETTER.test(text) || run.isJoined || next?.isJoined) return false;
  if (style === 'code') return !NOT_CODE.test(text);
  // CommonMark ignores marks between punctuation inside the marks and a letter outside.
  const opens = STARTS_WITH_LETTER.test(text) && !words[0]?.link;
  const closes = ENDS_WITH_LETTER.test(text) && !words.at(-1)?.link;
  const last = before?.words.at(-1)?.text ?? '';
  const first = next?.words[0]?.text ?? '';
  const isOpened = opens || run.hasSpace || !ENDS_WITH_LETTER.test(last);
  return isOpened && (closes || !next || next.hasSpace || !STARTS_WITH_LETTER.test(first));
}
