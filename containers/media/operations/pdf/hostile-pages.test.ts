/**
 * Tests parse_document on pages that are designed to take quadratic time or memory. Earlier code took minutes for these
 * inputs or exhausted the memory.
 */
import { afterAll, describe, expect, it } from 'vitest';
import type { PageDrawing } from '../../pdf/page-drawing.ts';
import { nestItems } from './drawn-bullets.ts';
import { linkWords } from './linked-words.ts';
import { markdown } from './markdown.ts';
import type { Block } from './page-blocks.ts';
import { flowedText, type Line } from './page-lines.ts';
import { type StyledWord, styledWords } from './styled-words.ts';
import { columnsByPosition } from './tagged-columns.ts';
import { emptyFolder, operate } from './test-files.ts';
import { element, taggedPage } from './test-tagged.ts';
import { wordAt } from './test-words.ts';
import { markHeadings } from './untagged-headings.ts';

afterAll(emptyFolder);

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

const word = (text: string, left: number, top: number) => wordAt(text, left, top, 20);

function lineOf(...words: StyledWord[]): Line {
  const { left, top, bottom } = words[0]!;
  return { left, top, bottom, right: words.at(-1)!.right, words };
}

const blockOf = (type: Block['type'], line: Line): Block => ({ ...line, type, lines: [line] });

const textOf = async (path: string): Promise<string> => {
  const { bytes } = await operate('parse_document', { format: 'markdown' }, [path]);
  return JSON.parse(bytes.toString()).text;
};

/** Returns the objects of a table with these rows, whose cells have these additional entries. */
function table(rows: readonly (readonly number[])[], entries: string) {
  let next = 100 + rows.length;
  const objects: Record<number, string> = {
    20: '<</Type/StructTreeRoot/K 21 0 R>>',
    21: element('Table', rows.map((_, at) => `${100 + at} 0 R`).join(' ')),
  };
  for (const [at, row] of rows.entries()) {
    objects[100 + at] = element('TR', row.map((_, cell) => `${next + cell} 0 R`).join(' '));
    for (const content of row) objects[next++] = element('TD', `${content}`, entries);
  }
  return objects;
}

describe('hostile pages', () => {
  it('may have text at coordinates that are too large to count to', () => {
    for (const top of [1e20, -1e20, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      const span = { left: 0, right: 10, top, bottom: top + 10, size: 10, font: {} };
      const drawing = { spans: [span] } as unknown as PageDrawing;
      expect(styledWords([word('a', 0, 0)], drawing, undefined)).toHaveLength(1);
    }
  });

  it('compare each word with a limited number of spans', () => {
    const font = { hasWidths: true, isBold: true };
    const spans = numbers(100_000).map((at) => {
      const size = at === 0 ? 7 : 8;
      return { left: at * 30, right: at * 30 + 20, top: 0, bottom: 10, size, font };
    });
    const words = numbers(10_000).map((at) => word('a', at * 30, 0));
    const styled = styledWords(words, { spans } as unknown as PageDrawing, undefined);
    expect(styled[0]).toMatchObject({ size: 7, isBold: true });
    expect(styled[4999]).toMatchObject({ size: 8, isBold: true });
    expect(styled[5000]).toMatchObject({ size: 10, isBold: false });
  });

  it('nest list items only so deep that their indentation stays short', () => {
    const blocks = numbers(1000).map((at) =>
      blockOf('list item', lineOf(word('-', at * 5, at * 12), word('x', at * 5 + 20, at * 12))),
    );
    nestItems(blocks);
    expect(Math.max(...blocks.map(({ level }) => level!))).toBe(20);
  });

  it('join many lines and many blocks in linear time', () => {
    const lines = numbers(150_000).map((at) => lineOf(word('words', 0, at * 12)));
    expect(flowedText(lines)).toHaveLength(150_000 * 6 - 1);
    const code = markdown(
      lines.map((line) => blockOf('code', line)),
      1,
    );
    expect(code.split('\n')).toHaveLength(150_002);
  });

  it('link each word once, to the last of many links', () => {
    const words = numbers(20_000).map((at) => word('words.', 0, at * 12));
    const box = { left: 0, top: 0, right: 20, bottom: 240_000 };
    linkWords(
      words,
      numbers(5000).map((at) => ({ box, uri: `https://example.com/${at}` })),
    );
    expect(new Set(words.map(({ link }) => link?.uri))).toEqual(
      new Set(['https://example.com/4999']),
    );
  });

  it('have headings of many sizes', () => {
    const blocks = numbers(8).map((at) =>
      blockOf('paragraph', lineOf({ ...word('Head', 0, at * 100), size: 90 - at * 10 })),
    );
    markHeadings([[...blocks, blockOf('paragraph', lineOf(word('text'.repeat(99), 0, 999)))]]);
    expect(blocks.map(({ level }) => level)).toEqual([1, 2, 3, 4, 5, 6, 6, 6]);
  });

  it('have a row with many cells that span columns', () => {
    const box = { top: 0, bottom: 10, span: 2, headers: [] };
    const row = numbers(300_000).map((at) => ({ ...box, left: at * 5, right: at * 5 + 4 }));
    expect(columnsByPosition([row])?.[0]).toHaveLength(300_000);
  });

  it('have one long row and many short ones', async () => {
    const count = 3000;
    const long = numbers(count);
    const texts = long.map((at) => [at / 10, 700, 'a'] as const);
    const rows = [long, ...long.map((at) => [count + at])];
    const short = long.map((at) => [10, 600 - at / 10, 'b'] as const);
    const text = await textOf(taggedPage('LongRow', [...texts, ...short], table(rows, '')));
    expect(text.length).toBeLessThan(5_000_000);
  });

  it('have cells with many long names of headers', async () => {
    const row = numbers(4000).map(() => 0);
    const tree = {
      ...table([row], '/A<</O/Table/Headers 23 0 R>>'),
      22: `(${'x'.repeat(40_000)})`,
      23: `[${'22 0 R '.repeat(100)}]`,
    };
    expect(await textOf(taggedPage('LongNames', [[10, 700, 'word']], tree))).toContain('word');
  });

  it('have many elements that share a list of kids', async () => {
    const all = numbers(30_000);
    const tree: Record<number, string> = {
      20: '<</Type/StructTreeRoot/K 21 0 R>>',
      21: element('Document', all.map((at) => `${30 + at} 0 R`).join(' ')),
      22: `[${all.join(' ')}]`,
    };
    for (const at of all) tree[30 + at] = '<</S/P/Pg 3 0 R/K 22 0 R>>';
    expect(await textOf(taggedPage('SharedKids', [[10, 700, 'word']], tree))).toContain('word');
  });
});
