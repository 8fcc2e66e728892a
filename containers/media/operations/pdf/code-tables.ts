/** Finds tables that are code or program output with aligned parts. */
import { levelWords } from './drawn-spaces.ts';
import type { Block } from './page-blocks.ts';
import { isMono } from './page-lines.ts';
import { linesOf } from './reading-order.ts';

/**
 * Converts tables of monospaced words to code, which keeps the spaces between their parts. Tagged tables and
 * tables with ruling lines remain tables, and so do all tables of a typewritten document.
 */
export function markCodeTables(pages: readonly (readonly Block[])[]): void {
  const blocks = pages.flat();
  const words = blocks.flatMap(({ lines }) => lines.flatMap((line) => line.words));
  if (isMono({ words })) return;
  for (const block of blocks) {
    const own = block.lines.flatMap((line) => line.words);
    if (!block.isAligned || !own.every((word) => word.isMono)) continue;
    const rows = levelWords(own).map((row) => row.toSorted((a, b) => a.left - b.left));
    block.type = 'code';
    block.lines = linesOf(rows.flat());
    delete block.rows;
  }
}
