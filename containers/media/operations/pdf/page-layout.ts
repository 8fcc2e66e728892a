/** Returns the blocks of pages with their boxes, for parse_document with `layout`. */
import { plainText } from './markdown.ts';
import type { Block } from './page-blocks.ts';
import { flowedText } from './page-lines.ts';
import type { ReadPage } from './page-reading.ts';

/**
 * Returns the blocks of these pages. Boxes are `[left, top, right, bottom]` in points from the top left corner of the
 * page.
 */
export const layoutOf = (read: ReadonlyMap<number, ReadPage>, numbers: readonly number[]) =>
  [...read].map(([index, { blocks, width, height }]) => ({
    page: numbers[index],
    width: tenth(width),
    height: tenth(height),
    blocks: blocks.map((block) => ({
      type: block.type,
      box: [block.left, block.top, block.right, block.bottom].map(tenth),
      text: blockText(block),
      ...(block.level === undefined ? {} : { level: block.level }),
      ...(block.rows ? { rows: block.rows } : {}),
    })),
  }));

const blockText = (block: Block): string =>
  block.type === 'code' || block.rows ? plainText([block]) : flowedText(block.lines);

const tenth = (points: number) => Math.round(points * 10) / 10;
