/** Tests the headings of documents without tagged headings. */
import { afterAll, expect, it } from 'vitest';
import { untaggedBlocks } from './page-blocks.ts';
import { emptyFolder, operate, put } from './test-files.ts';
import { written } from './test-hostile-files.ts';
import { wordAt } from './test-words.ts';
import { markHeadings } from './untagged-headings.ts';

afterAll(emptyFolder);

const PROSE = 'These are the words of a page that say what a command does';

/** Returns the types of the blocks of a page: a bold line of code, and prose. */
function typesOf(isProseMono: boolean): string[] {
  const code = { ...wordAt('./bootstrap', 10, 0, 60), isBold: true, isMono: true };
  const prose = PROSE.split(' ').map((word, at) => wordAt(word, 10 + at * 40, 40, 38));
  const blocks = untaggedBlocks([code, ...prose.map((word) => ({ ...word, isMono: isProseMono }))]);
  markHeadings([blocks]);
  return blocks.map(({ type }) => type);
}

it('a bold line of code is a heading only in a typewritten document', () => {
  expect(typesOf(false)).toEqual(['code', 'paragraph']);
  expect(typesOf(true)).toEqual(['heading', 'code']);
});

it('a line that begins with a bold heading belongs to the paragraph below it', () => {
  const texts = ['High throughput and low latency. Our photo', 'storage keeps up with requests.'];
  const words = texts.flatMap((text, line) =>
    text.split(' ').map((word, at) => ({
      ...wordAt(word, 10 + at * 70, line * 12, 66),
      isBold: line === 0 && at < 5,
    })),
  );
  const blocks = untaggedBlocks(words);
  markHeadings([blocks]);
  expect(blocks.map(({ type, lines }) => [type, lines.length])).toEqual([['paragraph', 2]]);
});

it('parse_document reads filled and stroked text as bold', async () => {
  const content = [
    'BT /F1 10 Tf 72 700 Td 2 Tr (Preamble) Tj ET',
    'BT /F1 10 Tf 72 660 Td 0 Tr (These are the words of the text.) Tj ET',
  ].join('\n');
  const path = put('stroked.pdf', written(content));
  const { bytes } = await operate('parse_document', { format: 'markdown' }, [path]);
  expect(JSON.parse(bytes.toString()).text).toBe('# Preamble\n\nThese are the words of the text.');
});
