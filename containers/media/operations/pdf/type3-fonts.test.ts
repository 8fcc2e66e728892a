/** Tests text in Type 3 fonts, as which Chromium embeds fonts with PostScript outlines. */
import { afterAll, expect, it } from 'vitest';
import { emptyFolder, operate, put } from './test-files.ts';
import { file, simple } from './test-hostile-files.ts';

afterAll(emptyFolder);

const stream = (data: string) => `<</Length ${data.length}>>\nstream\n${data}\nendstream`;
const LETTERS = Array.from({ length: 95 }, (_, at) => at + 32);

/** Returns a Type 3 font in which poppler takes the space, of a quarter of the font size, for a usual letter. */
const font = (name: string, toUnicode: number) =>
  `<</Type/Font/Subtype/Type3/FontBBox[0 -200 1000 800]/FontMatrix[0.001 0 0 0.001 0 0]
/CharProcs<<${LETTERS.map((code) => `/g${code} 9 0 R`).join('')}>>
/Encoding<</Type/Encoding/Differences[32 ${LETTERS.map((code) => `/g${code}`).join('')}]>>
/FirstChar 32/LastChar 126/Widths[250 ${LETTERS.slice(1)
    .map(() => 500)
    .join(' ')}]/ToUnicode ${toUnicode} 0 R
/FontDescriptor<</Type/FontDescriptor/FontName/${name}/Flags 4>>/Resources<<>>>>`;

it('parse_document measures lines in the font size, and recognizes bold fonts by their descriptors', async () => {
  const content = [
    'BT /F2 11 Tf 72 700 Td (Introduction) Tj ET',
    'BT /F1 11 Tf 72 670 Td (The first line of a paragraph) Tj ET',
    'BT /F1 11 Tf 72 654.6 Td (and its second line) Tj ET',
  ].join('\n');
  const unicode =
    '/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF> ' +
    'endcodespacerange 1 beginbfrange <20> <7E> <0020> endbfrange endcmap end';
  const path = put(
    'type3.pdf',
    file({
      ...simple({
        4: stream(content),
        5: font('AAAAAA+NimbusRoman-Regular', 8),
        6: font('BAAAAA+NimbusRoman-Bold', 8),
        8: stream(unicode),
        9: stream('500 0 0 0 400 700 d1 0 0 400 700 re f'),
      }),
      3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R/F2 6 0 R>>>>>>',
    }),
  );
  const { bytes } = await operate('parse_document', { format: 'markdown' }, [path]);
  expect(JSON.parse(bytes.toString()).text).toBe(
    '# Introduction\n\nThe first line of a paragraph and its second line',
  );
});
