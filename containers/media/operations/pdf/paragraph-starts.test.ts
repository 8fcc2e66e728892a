/** Tests the Markdown of paragraphs that are separated by narrow gaps, and of headings above indented text. */
import { afterAll, expect, it } from 'vitest';
import { emptyFolder, operate, put } from './test-files.ts';
import { file } from './test-hostile-files.ts';

afterAll(emptyFolder);

/** A line of 10-point text: its distance below the line before, its left edge, and its weight. */
type GivenLine = readonly [step: number, text: string, left?: number, font?: 'bold'];

/** Returns the Markdown of a page with these lines. */
async function markdownOf(name: string, lines: readonly GivenLine[]) {
  let y = 760;
  const drawn = lines.map(([step, text, left = 72, font]) => {
    y -= step;
    return `BT /F${font ? 2 : 1} 10 Tf ${left} ${y} Td (${text}) Tj ET`;
  });
  const content = drawn.join('\n');
  const pdf = file({
    1: '<</Type/Catalog/Pages 2 0 R>>',
    2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R/Resources<</Font<</F1 6 0 R/F2 7 0 R>>>>>>',
    5: `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    6: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    7: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold>>',
  });
  const { bytes } = await operate('parse_document', { format: 'markdown' }, [
    put(`${name}.pdf`, pdf),
  ]);
  return JSON.parse(bytes.toString('utf8')).text;
}

it('divides paragraphs, and the lines of an address, at gaps that are wider than those of prose', async () => {
  const markdown = await markdownOf('letter', [
    [0, 'Jane Doe'],
    [15, '5 High Street'],
    [15, 'Perth PH1 5TD'],
    [15, 'We are pleased to confirm that the balance and the two sets of'],
    [12, 'weights leave our workshop on Monday, and that the carrier will be'],
    [12, 'with you on Tuesday.'],
    [15, 'The instrument must be levelled before it is used for the first time.'],
    [12, 'See the leaflet.'],
    [15, 'Yours sincerely,'],
    [15, 'R. Burns'],
  ]);
  expect(markdown.split('\n\n')).toEqual([
    'Jane Doe',
    '5 High Street',
    'Perth PH1 5TD',
    'We are pleased to confirm that the balance and the two sets of weights leave our workshop on Monday, ' +
      'and that the carrier will be with you on Tuesday.',
    'The instrument must be levelled before it is used for the first time. See the leaflet.',
    'Yours sincerely,',
    'R. Burns',
  ]);
});

it('does not divide wide prose on a page with narrow lines of the same size', async () => {
  const line = 'A line of prose that is as wide as the others, and has no end';
  const markdown = await markdownOf('wide', [
    ...Array.from({ length: 6 }, () => [15, line] as GivenLine),
    [30, line],
    ...Array.from({ length: 6 }, () => [11, line] as GivenLine),
  ]);
  expect(markdown.split('\n\n')).toHaveLength(2);
});

it('divides a bold heading and the bold line below it that is indented, but not a centered heading', async () => {
  const markdown = await markdownOf('manual', [
    [0, 'The manual of a program that', 150, 'bold'],
    [12, 'measures the flow of rivers', 153, 'bold'],
    [30, 'NAME', 72, 'bold'],
    [12, 'flow', 108, 'bold'],
    [12, 'DESCRIPTION', 72, 'bold'],
    [12, 'Reads one or more files and prints the flow of each reach, and the', 108],
    [12, 'mean of all flows. The lines of a file can be in any order, and blank', 108],
    [12, 'lines are ignored.', 108],
  ]);
  expect(markdown.split('\n\n')).toEqual([
    '# The manual of a program that measures the flow of rivers',
    '# NAME',
    '# flow',
    '# DESCRIPTION',
    'Reads one or more files and prints the flow of each reach, and the mean of all flows. The lines of a file ' +
      'can be in any order, and blank lines are ignored.',
  ]);
});

it('divides paragraphs whose first lines are indented, but not the items of a list', async () => {
  const full = 'A line of prose that is as wide as the column of the page';
  const markdown = await markdownOf('indented', [
    [0, full],
    [12, 'that ends here.'],
    [12, 'A second paragraph begins with a line as wide as the col-', 84],
    [12, 'umn. It ends here.'],
    [12, 'A third paragraph begins with a line as wide as the column', 84],
    [12, 'and ends here.'],
    [30, '1. An item with a sentence. It is as wide as the others are,'],
    [12, 'and has a second line that is indented.', 84],
    [12, '2. Another item.'],
  ]);
  expect(markdown.split('\n\n')).toEqual([
    `${full} that ends here.`,
    'A second paragraph begins with a line as wide as the column. It ends here.',
    'A third paragraph begins with a line as wide as the column and ends here.',
    '1. An item with a sentence. It is as wide as the others are, and has a second line that is indented.\n2. Another item.',
  ]);
});

it('keeps the line breaks of an address, and escapes what Markdown would parse at their start', async () => {
  const markdown = await markdownOf('address', [
    [0, 'Acme Ltd'],
    [12, '# 12'],
    [12, '==='],
    [12, '> Harbour Road and Waterfront'],
    [12, 'Leith'],
  ]);
  expect(markdown).toBe('Acme Ltd\n\\# 12\n\\===\n\\> Harbour Road and Waterfront Leith');
});
