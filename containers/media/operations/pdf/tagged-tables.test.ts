import { afterAll, describe, expect, it } from 'vitest';
import type { StructureElement } from '../../pdf/structure-tree.ts';
import type { CellAttributes } from '../../pdf/table-cells.ts';
import type { StyledWord } from './styled-words.ts';
import { taggedRows } from './tagged-tables.ts';
import { emptyFolder, operate } from './test-files.ts';
import { element, taggedPage } from './test-tagged.ts';

afterAll(emptyFolder);

/** The text of a cell, its left and right edges in points, and its attributes. */
type GivenCell = readonly [string, number, number, Partial<CellAttributes>?];

const PLAIN = { rowSpan: 1, columnSpan: 1, id: undefined, headers: [], headsColumn: false };

function child(parent: StructureElement, type: string): StructureElement {
  const element: StructureElement = { type, parent, kids: [] };
  parent.kids.push(element);
  return element;
}

/** Returns the rows of a table with these cells. Cells without text are empty elements. */
function rowsFrom(rows: readonly (readonly GivenCell[])[]): string[][] {
  const table: StructureElement = { type: 'Table', parent: undefined, kids: [] };
  const words: StyledWord[] = [];
  for (const [at, cells] of rows.entries()) {
    const row = child(child(table, 'TBody'), 'TR');
    for (const [text, left, right, attributes] of cells) {
      const element = child(row, 'TD');
      element.cell = { ...PLAIN, ...attributes };
      const box = { left, right, top: at * 12, bottom: at * 12 + 10 };
      if (text) words.push({ text, ...box, size: 10, element } as StyledWord);
    }
  }
  return taggedRows(table, words);
}

describe('taggedRows', () => {
  it('returns no rows if one row would widen too many others', () => {
    const cells = Array.from({ length: 600 }, (_, at): GivenCell => ['a', at * 20, at * 20 + 10]);
    const rowsOf = (count: number) => [cells, ...Array.from({ length: count }, () => [cells[0]!])];
    expect(rowsFrom(rowsOf(400))).toHaveLength(401);
    expect(rowsFrom(rowsOf(600))).toEqual([]);
  });

  it('returns the empty cells of the structure tree, and counts spans', () => {
    const rows = rowsFrom([
      [
        ['', 0, 0],
        ['Age', 50, 80],
        ['City', 100, 130],
      ],
      [
        ['Ann', 0, 30, { rowSpan: 2 }],
        ['', 0, 0],
        ['Rome', 100, 130],
      ],
      [
        ['', 0, 0],
        ['Oslo', 100, 130],
      ],
      [
        ['none', 0, 30, { columnSpan: 2 }],
        ['Bonn', 100, 130],
      ],
    ]);
    expect(rows).toEqual([
      ['', 'Age', 'City'],
      ['Ann', '', 'Rome'],
      ['', '', 'Oslo'],
      ['none', '', 'Bonn'],
    ]);
  });

  it('places the cells by position if the tree lacks cells', () => {
    const rows = rowsFrom([
      [
        ['Month', 0, 40],
        ['Rent', 50, 80],
        ['Power', 100, 140],
        ['Water', 150, 190],
      ],
      [
        ['May', 0, 30],
        ['31', 150, 165],
      ],
      [
        ['44', 100, 115],
        ['29', 150, 165],
      ],
      [['800', 55, 80]],
    ]);
    expect(rows).toEqual([
      ['Month', 'Rent', 'Power', 'Water'],
      ['May', '', '', '31'],
      ['', '', '44', '29'],
      ['', '800', '', ''],
    ]);
  });

  it('places the cells by position if every row lacks one cell', () => {
    const rows = rowsFrom([
      [
        ['Beta', 50, 80],
        ['Gamma', 100, 140],
      ],
      [
        ['a1', 0, 20],
        ['c1', 100, 115],
      ],
      [
        ['x1', 0, 20],
        ['y1', 50, 65],
      ],
    ]);
    expect(rows).toEqual([
      ['', 'Beta', 'Gamma'],
      ['a1', '', 'c1'],
      ['x1', 'y1', ''],
    ]);
  });

  it('places cells from right to left if the table has this direction', () => {
    const rows = rowsFrom([
      [
        ['a', 100, 130],
        ['b', 50, 80],
        ['c', 0, 30],
      ],
      [
        ['d', 100, 130],
        ['f', 0, 30],
      ],
    ]);
    expect(rows).toEqual([
      ['a', 'b', 'c'],
      ['d', '', 'f'],
    ]);
  });

  it('places a cell below its header if their positions have no point in common', () => {
    const header = (id: string) => ({ id, headsColumn: true });
    const rows = rowsFrom([
      [
        ['Name', 0, 40, header('1')],
        ['Amount', 50, 90, header('2')],
        ['Note', 200, 240],
      ],
      [
        ['Pen', 0, 30, { headers: ['1'] }],
        ['12', 170, 185, { headers: ['2'] }],
      ],
      [
        ['7', 178, 185, { headers: ['2'] }],
        ['late', 200, 220],
      ],
    ]);
    expect(rows).toEqual([
      ['Name', 'Amount', 'Note'],
      ['Pen', '12', ''],
      ['', '7', 'late'],
    ]);
  });

  it('places a cell that spans columns between the other cells', () => {
    const rows = rowsFrom([
      [
        ['Area', 0, 30],
        ['2023', 85, 105, { columnSpan: 2 }],
        ['2024', 185, 205, { columnSpan: 2 }],
      ],
      [
        ['H1', 60, 75],
        ['H2', 110, 125],
        ['H1', 160, 175],
        ['H2', 210, 225],
      ],
      [
        ['North', 0, 30],
        ['1', 60, 66],
        ['4', 210, 216],
      ],
    ]);
    expect(rows).toEqual([
      ['Area', '2023', '', '2024', ''],
      ['', 'H1', 'H2', 'H1', 'H2'],
      ['North', '1', '', '', '4'],
    ]);
  });

  it('does not join columns below a cell whose span is missing', () => {
    const rows = rowsFrom([
      [['A wide title', 0, 140]],
      [
        ['a', 0, 30],
        ['b', 50, 80],
        ['c', 100, 130],
      ],
      [
        ['d', 0, 30],
        ['f', 100, 130],
      ],
    ]);
    expect(rows).toEqual([
      ['A wide title', '', ''],
      ['a', 'b', 'c'],
      ['d', '', 'f'],
    ]);
  });

  it('returns the cells of a table without rows as one row', () => {
    const table: StructureElement = { type: 'Table', parent: undefined, kids: [] };
    const words = ['a', 'b'].map((text, at) => {
      const box = { left: at * 50, right: at * 50 + 30, top: 0, bottom: 10 };
      return { text, ...box, size: 10, element: child(table, 'TD') } as StyledWord;
    });
    expect(taggedRows(table, words)).toEqual([['a', 'b']]);
  });

  it('returns the tree order if the positions contradict it', () => {
    const rows = rowsFrom([
      [
        ['a', 0, 30],
        ['b', 0, 30],
        ['c', 0, 30],
      ],
      [
        ['d', 0, 30],
        ['e', 0, 30],
      ],
    ]);
    expect(rows).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e', ''],
    ]);
  });
});

it('parse_document reads the attributes of table cells', async () => {
  const cells = [
    [72, 700, 'Team'],
    [150, 700, 'Name'],
    [230, 700, 'Age'],
    [72, 680, 'One'],
    [230, 680, '30'],
    [150, 660, 'Ann'],
    [230, 660, '41'],
  ] as const;
  const path = taggedPage('spanned-cells', cells, {
    20: '<</Type/StructTreeRoot/K[21 0 R]>>',
    21: element('Table', '22 0 R 23 0 R 24 0 R'),
    22: element('TR', '30 0 R 31 0 R 32 0 R'),
    23: element('TR', '33 0 R 34 0 R 35 0 R'),
    24: element('TR', '36 0 R 37 0 R'),
    30: element('TH', '0'),
    31: element('TH', '1'),
    32: element('TH', '2'),
    33: element('TD', '3', '/A[<</O/Layout/Width 9>> 0 <</O/Table/RowSpan 2/ColSpan 1>>]'),
    34: element('TD', ''),
    35: element('TD', '4'),
    36: element('TD', '5', '/A<</O/Table/Headers[(n1)]>>'),
    37: element('TD', '6'),
  });
  const { bytes } = await operate('parse_document', { format: 'markdown' }, [path]);
  expect(JSON.parse(bytes.toString('utf8')).text.split('\n')).toEqual([
    '| Team | Name | Age |',
    '| --- | --- | --- |',
    '| One |  | 30 |',
    '|  | Ann | 41 |',
  ]);
});

it('parse_document writes the caption of a tagged table above the table', async () => {
  const texts = [
    [72, 720, 'Sales'],
    [72, 700, 'City'],
    [150, 700, 'Sum'],
    [72, 680, 'Rome'],
    [150, 680, '7'],
  ] as const;
  const path = taggedPage('caption', texts, {
    20: '<</Type/StructTreeRoot/K[21 0 R]>>',
    21: element('Table', '22 0 R 23 0 R 24 0 R'),
    22: element('Caption', '0'),
    23: element('TR', '30 0 R 31 0 R'),
    24: element('TR', '32 0 R 33 0 R'),
    30: element('TH', '1'),
    31: element('TH', '2'),
    32: element('TD', '3'),
    33: element('TD', '4'),
  });
  const { bytes } = await operate('parse_document', { format: 'markdown' }, [path]);
  expect(JSON.parse(bytes.toString('utf8')).text).toBe(
    'Sales\n\n| City | Sum |\n| --- | --- |\n| Rome | 7 |',
  );
});
