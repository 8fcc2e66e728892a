/** Tests which letters of a word a link in Markdown contains. */
import { afterAll, expect, it } from 'vitest';
import { emptyFolder, operate, put } from './test-files.ts';
import { file } from './test-hostile-files.ts';

afterAll(emptyFolder);

/** The widths of the characters from the space to the tilde, in thousandths of the font size. */
const WIDTHS = Array.from({ length: 95 }, (_, index) =>
  '.,()'.includes(String.fromCharCode(32 + index)) ? 280 : 600,
);
/** Returns the position after a text of this font at 10 points. */
const after = (text: string) =>
  [...text].reduce((x, letter) => x + WIDTHS[letter.charCodeAt(0) - 32]! / 100, 60);

/** Returns the Markdown of a line in which a link covers these letters. */
async function markdownOf(
  line: string,
  from: number,
  to: number,
  margin = 0,
  url = 'https://example.com/',
): Promise<string> {
  const content = `BT /F1 10 Tf 60 100 Td (${line.replace(/[()]/g, '\\$&')}) Tj ET`;
  const [left, right] = [after(line.slice(0, from)) - margin, after(line.slice(0, to)) + margin];
  const pdf = file({
    1: '<</Type/Catalog/Pages 2 0 R>>',
    2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 200]/Contents 5 0 R/Annots[4 0 R]/Resources<</Font<</F1 6 0 R>>>>>>',
    4: `<</Type/Annot/Subtype/Link/Rect[${left} 96 ${right} 112]/A<</S/URI/URI(${url})>>>>`,
    5: `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    6: `<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/FirstChar 32/LastChar 126/Widths[${WIDTHS.join(' ')}]>>`,
  });
  const path = put(`link-${from}-${to}-${margin}-${url.length}.pdf`, pdf);
  const { bytes } = await operate('parse_document', { format: 'markdown' }, [path]);
  return JSON.parse(bytes.toString('utf8')).text;
}

it.each([
  ['See the manual. It helps.', 4, 14, 0, 'See [the manual](https://example.com/). It helps.'],
  ['See the manual. It helps.', 4, 14, 1, 'See [the manual](https://example.com/). It helps.'],
  ['See the manual. It helps.', 4, 15, 0, 'See [the manual.](https://example.com/) It helps.'],
  ['It is (here), too.', 7, 11, 0, 'It is ([here](https://example.com/)), too.'],
  ['At example.com. Yes.', 3, 15, 1, 'At [example.com](https://example.com/). Yes.'],
  ['It is foo_(bar). Yes.', 6, 15, 0, 'It is [foo\\_(bar)](https://example.com/). Yes.'],
])('is exact in %j from %i to %i with a margin of %i', async (line, from, to, margin, text) => {
  expect(await markdownOf(line, from, to, margin)).toBe(text);
});

it('is missing if the URL is longer than 2,000 characters, because a shortened URL would be wrong', async () => {
  const long = `https://example.com/${'a'.repeat(1980)}`;
  expect(await markdownOf('See it.', 4, 6, 0, long)).toBe(`See [it](${long}).`);
  expect(await markdownOf('See it.', 4, 6, 0, `${long}a`)).toBe('See it.');
});
