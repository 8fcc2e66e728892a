/** Tests every rule of the grammar for page ranges. */
import { describe, expect, it } from 'vitest';
import { ToolError } from '../../core/errors.ts';
import { parsePageRanges, partNames, selectPages } from './page-ranges.ts';

const selected = (entry: string, pageCount: number) =>
  selectPages(parsePageRanges(entry), pageCount);

describe('page ranges', () => {
  it.each([
    ['1-3', [1, 2, 3]],
    ['2', [2]],
    ['1-2,4', [1, 2, 4]],
    ['4,1', [4, 1]],
    ['1,1-2', [1, 1, 2]],
    [' 1 - 2 ,\t4 ', [1, 2, 4]],
    ['4-9', [4, 5]],
    ['6', []],
    ['9,2', [2]],
    ['007', []],
    ['1-99999999999999999999999', [1, 2, 3, 4, 5]],
  ])('%j selects %j of five pages', (entry, pages) => {
    expect(selected(entry, 5)).toEqual(pages);
  });

  it.each([
    '3-1',
    '0',
    '0-3',
    '-2',
    '1-',
    'a',
    '',
    '  ',
    '1,,2',
    ',1',
    '1,',
    '1.5',
    '1--2',
    '1-2-3',
    '١',
  ])('%j is rejected by name', (entry) => {
    const refused = () => parsePageRanges(entry);
    expect(refused).toThrow(ToolError);
    expect(refused).toThrow(JSON.stringify(entry));
    expect(refused).toThrow('first-last');
  });

  it('a span up to the largest number is handled without listing its pages', () => {
    // Listing each number in the span would exceed the time limit of the test.
    expect(selected('1-9999999999', 3)).toEqual([1, 2, 3]);
    expect(selected('9999999998-9999999999', 3)).toEqual([]);
  });

  it('an entry that selects more than 100,000 pages by repetition is rejected', () => {
    expect(() => selected(Array(200).fill('1-1000').join(','), 1000)).toThrow(ToolError);
  });

  it('a very long entry is rejected without repeating it in the message', () => {
    expect(() => parsePageRanges('1,'.repeat(1e6))).toThrow(/^.{1,400}$/);
  });

  it('parts are named after their ranges and numbered if two are equal', () => {
    const entries = ['1-3', '1-3,5', '2', '1 - 3', '1-3'].map(parsePageRanges);
    expect(partNames(entries)).toEqual([
      'pages-1-3.pdf',
      'pages-1-3_5.pdf',
      'pages-2.pdf',
      'pages-1-3 (2).pdf',
      'pages-1-3 (3).pdf',
    ]);
  });
});
