/** Finds tables in code: lines of code or program output whose parts are aligned. */
import { levelWords } from './drawn-spaces.ts';
import type { Block } from './page-blocks.ts';
import { isMono } from './page-lines.ts';
import { linesOf } from './reading-order.ts';

/**
 * Converts tables of monospaced words to code, which keeps the spaces between their parts. Tables with tags or lines
 * remain tables, and so do all tables of a typewritten page.
 */
export function withCodeTables(blocks: readonly Block[]): Block[] {
  const words = blocks.flatMap(({ lines }) => lines.flatMap((line) => line.words));
  if (isMono({ words })) return [...blocks];
  return blocks.map((block) => {
    const own = block.lines.flatMap((line) => line.words);
    if (!block.isAligned || !own.every((word) => word.isMono)) return block;
    const rows = levelWords(own).map((row) => row.toSorted((a, b) => a.left - b.left));
    return { ...block, type: 'code', lines: linesOf(rows.flat()) };
  });
}
