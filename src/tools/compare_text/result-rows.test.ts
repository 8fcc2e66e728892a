import { describe, expect, it } from 'vitest';
import { differenceOf } from './difference.ts';
import { type Line, type Row, rowsOf } from './result-rows.ts';

/** Formats rows as text. Differences within a line are in brackets. */
const said = (text1: string, text2: string) => {
  const { changes, unified } = differenceOf(text1, text2);
  return rowsOf(changes, unified).rows.map(
    ({ before, after, isAfterGap }: Row) =>
      `${isAfterGap ? '… ' : ''}${lineOf(before)} | ${lineOf(after)}`,
  );
};
const lineOf = (line: Line | null) =>
  line
    ? `${line.number} ${line.parts.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('')}`
    : '-';

describe('the rows of a comparison', () => {
  it('pair a changed line with its original below an added line', () => {
    expect(said('one\nthe old house\nend', 'one\nbrand new\nthe old home\nend')).toEqual([
      '1 one | 1 one',
      '- | 2 brand new',
      '2 the old [house] | 3 the old [home]',
      '3 end | 4 end',
    ]);
  });

  it('pair a changed line with its original above a removed line', () => {
    expect(said('keep this line\nand drop that', 'keep that line')).toEqual([
      '1 keep [this] line | 1 keep [that] line',
      '2 and drop that | -',
    ]);
  });

  it('show an equal line when only one text ends with it', () => {
    expect(said('a\nb', 'a\nb\nc')).toEqual(['1 a | 1 a', '2 b | 2 b', '- | 3 c']);
  });

  it('show an equal line as each text has it', () => {
    const { changes, unified } = differenceOf('A\nb', 'a\nc', (line) => line.toLowerCase());
    const [same] = rowsOf(changes, unified, 'a\nc').rows;
    expect([lineOf(same!.before), lineOf(same!.after)]).toEqual(['1 A', '1 a']);
  });

  it('highlight no words in lines that have little in common', () => {
    expect(said('apples', 'pears')).toEqual(['1 apples | 1 pears']);
  });

  it.each([
    ['a\tb', 'a    b', '1 a[\t]b | 1 a[    ]b'],
    ['a\tb', 'a          b', '1 a[\t]b | 1 a[          ]b'],
    ['end ', 'end', '1 end[ ] | 1 end'],
    ['}', '        }', '1 } | 1 [        ]}'],
  ])('highlight changed white space in %j and %j', (before, after, row) => {
    expect(said(before, after)).toEqual([row]);
  });

  it('show three equal lines around a change and mark omitted lines', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
    const changed = lines.map((line, index) => ([1, 14].includes(index) ? `new ${line}` : line));
    const rows = said(lines.join('\n'), changed.join('\n'));
    expect(rows[0]).toBe('1 line 1 | 1 line 1');
    expect(rows[1]).toBe('2 line 2 | 2 [new ]line 2');
    expect(rows[5]).toBe('… 12 line 12 | 12 line 12');
    expect(rows).toHaveLength(5 + 7);
  });

  it('omit the surrounding lines when lines are compared by position', () => {
    const change = { line: 2, change: 'modified', before: 'a b', after: 'a c' } as const;
    expect(rowsOf([change]).rows).toMatchObject([
      { before: { number: 2 }, after: { number: 2 }, isAfterGap: true },
    ]);
  });

  it('stop after 2,000 rows with a note', () => {
    const text = 'x\n'.repeat(3000);
    const { changes, unified } = differenceOf('', text);
    expect(rowsOf(changes, unified)).toMatchObject({ isCut: true, rows: { length: 2000 } });
  });
});
