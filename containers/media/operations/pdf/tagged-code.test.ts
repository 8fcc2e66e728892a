/** Tests that parse_document does not divide tagged text at changes of font, and finds code blocks. */
import { afterAll, expect, it } from 'vitest';
import { emptyFolder, operate } from './test-files.ts';
import { element, taggedPage } from './test-tagged.ts';

afterAll(emptyFolder);

async function markdownOf(path: string): Promise<string> {
  const { bytes } = await operate('parse_document', { format: 'markdown' }, [path]);
  return JSON.parse(bytes.toString('utf8')).text;
}

it('parse_document does not divide a paragraph or a division at a change of font', async () => {
  const texts = [
    [72, 700, 'Call'],
    [100, 700, 'print', 'Courier'],
    [140, 700, 'now.'],
    [72, 670, 'Some'],
    [102, 670, 'mono', 'Courier'],
    [132, 670, 'text'],
  ] as const;
  const path = taggedPage('inline-code', texts, {
    20: '<</Type/StructTreeRoot/K[21 0 R 24 0 R]>>',
    21: element('P', '22 0 R 23 0 R 2'),
    22: element('NonStruct', '0'),
    23: element('Code', '1'),
    24: element('NonStruct', '25 0 R 26 0 R 28 0 R'),
    25: element('NonStruct', '3'),
    26: element('Code', '27 0 R'),
    27: element('NonStruct', '4'),
    28: element('NonStruct', '5'),
  });
  expect(await markdownOf(path)).toBe('Call `print` now.\n\nSome `mono` text');
});

const CODE = [
  [72, 700, 'Call it with:', undefined],
  [72, 680, 'if (x) {', 'Courier'],
  [96, 668, 'return 0;', 'Courier'],
  [210, 668, '// zero', 'Courier'],
  [72, 644, '}', 'Courier'],
  [72, 620, 'The result of the call is a number.', undefined],
] as const;

it.each(['NonStruct', 'P', 'Code'])(
  'parse_document returns the lines of code that is tagged as %s',
  async (type) => {
    const path = taggedPage(`code-${type}`, CODE, {
      20: '<</Type/StructTreeRoot/K[21 0 R 22 0 R 24 0 R]>>',
      21: element('P', '0'),
      22: element(type, '23 0 R'),
      23: element('NonStruct', '1 2 3 4'),
      24: element('P', '5'),
    });
    expect((await markdownOf(path)).split('\n')).toEqual([
      'Call it with:',
      '',
      '```',
      'if (x) {',
      '    return 0;          // zero',
      '',
      '}',
      '```',
      '',
      'The result of the call is a number.',
    ]);
  },
);

it('parse_document returns the paragraphs of a typewritten page as text', async () => {
  const texts = [
    [72, 700, 'Dear reader,', 'Courier'],
    [72, 670, 'this letter is written', 'Courier'],
    [72, 658, 'with a typewriter.', 'Courier'],
  ] as const;
  const path = taggedPage('typewritten', texts, {
    20: '<</Type/StructTreeRoot/K[21 0 R 22 0 R]>>',
    21: element('P', '0'),
    22: element('P', '1 2'),
  });
  expect(await markdownOf(path)).toBe('Dear reader,\n\nthis letter is written with a typewriter.');
});

it('parse_document returns the code on a slide whose heading is short', async () => {
  const texts = [
    [72, 720, 'Code'],
    [72, 700, 'for item in items:', 'Courier'],
    [96, 688, 'count = count + item.count', 'Courier'],
    [96, 676, 'sum = sum + item.price', 'Courier'],
  ] as const;
  const path = taggedPage('slide', texts, {
    20: '<</Type/StructTreeRoot/K[21 0 R 22 0 R]>>',
    21: element('H1', '0'),
    22: element('P', '1 2 3'),
  });
  expect((await markdownOf(path)).split('\n')).toEqual([
    '# Code',
    '',
    '```',
    'for item in items:',
    '    count = count + item.count',
    '    sum = sum + item.price',
    '```',
  ]);
});
