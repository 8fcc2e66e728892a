/** Splits documents by their headings into self-contained passages. */
import { trimEnd } from '../core/trim-end.ts';

export interface SplitPassage {
  /** The headings above the passage, outermost first, joined by ` › `. Empty at the start of a document. */
  heading: string;
  text: string;
}

/** The length in characters above which a section is split between paragraphs. */
const LONG = 1400;

/** Returns the passages of a Markdown body in order. A line in a code block is never a heading. */
export function splitPassages(markdown: string): SplitPassage[] {
  const passages: SplitPassage[] = [];
  let path: string[] = [];
  let lines: string[] = [];
  const flush = () => {
    const heading = path.filter(Boolean).join(' › ');
    for (const text of pieces(lines.join('\n').trim())) passages.push({ heading, text });
    lines = [];
  };
  const isCode = codeDetector();
  for (const line of markdown.split('\n')) {
    const heading = isCode(line) ? null : /^(#{1,6})\s(.*)$/.exec(line);
    if (!heading) {
      lines.push(line);
      continue;
    }
    flush();
    const depth = Math.max(0, heading[1]!.length - 2);
    path = [...path.slice(0, depth), trimEnd(heading[2]!, '#').trim()];
    // The level-1 heading is the document's title, which every passage contains anyway.
    if (heading[1]!.length === 1) path = [];
  }
  flush();
  return passages;
}

/**
 * Returns a function that receives the lines in order and returns whether each is inside a fenced code block. A fence
 * is closed by a fence of the same kind and at least the same length (CommonMark, section 4.5).
 */
function codeDetector(): (line: string) => boolean {
  let fence: string | undefined;
  return (line) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark && (!fence || mark.startsWith(fence))) fence = fence ? undefined : mark;
    return fence !== undefined;
  };
}

/**
 * Splits a section at block boundaries into pieces of at most `LONG` characters. A block of up to twice that size stays
 * whole.
 */
function pieces(text: string): string[] {
  if (text === '') return [];
  if (text.length <= LONG) return [text];
  const result: string[] = [];
  let current = '';
  for (const block of blocksOf(text)) {
    if (current !== '' && current.length + block.length > LONG) {
      result.push(current);
      current = '';
    }
    current = current === '' ? block : `${current}\n\n${block}`;
    while (current.length > 2 * LONG) {
      const end = current.lastIndexOf('\n', 2 * LONG);
      const cut = end > LONG ? end : 2 * LONG;
      result.push(current.slice(0, cut).toWellFormed());
      current = current.slice(cut).trim();
    }
  }
  if (current !== '') result.push(current);
  return result;
}

/** Splits text into paragraphs, lists, tables and whole code blocks. */
function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  const isCode = codeDetector();
  let current: string[] = [];
  for (const line of text.split('\n')) {
    const inCode = isCode(line);
    if (line.trim() === '' && !inCode) {
      if (current.length > 0) blocks.push(current.join('\n'));
      current = [];
    } else {
      current.push(line);
    }
  }
  if (current.length > 0) blocks.push(current.join('\n'));
  return blocks;
}
