/** Tests tagged pages as LibreOffice, Typst and Microsoft Word write them. */
import { afterAll, expect, it } from 'vitest';
import { emptyFolder, operate, put } from './test-files.ts';
import { file } from './test-hostile-files.ts';
import { element, taggedPage } from './test-tagged.ts';

afterAll(emptyFolder);

async function parse(path: string): Promise<string> {
  const { bytes } = await operate('parse_document', { format: 'markdown' }, [path]);
  return JSON.parse(bytes.toString()).text;
}

const root = (kids: string) => `<</Type/StructTreeRoot/K[${kids}]>>`;

it('parse_document nests the items of separate lists by their indentation', async () => {
  const texts = [
    [72, 700, '1. One'],
    [100, 680, '- Inner'],
    [128, 660, '- Third level'],
    [72, 640, '2. Two'],
  ] as const;
  const path = taggedPage('separate-lists', texts, {
    20: root('21 0 R 22 0 R 23 0 R 24 0 R'),
    21: element('L', '31 0 R'),
    22: element('L', '32 0 R'),
    23: element('L', '33 0 R'),
    24: element('L', '34 0 R'),
    31: element('LI', '0'),
    32: element('LI', '1'),
    33: element('LI', '2'),
    34: element('LI', '3'),
  });
  expect(await parse(path)).toBe('1. One\n   - Inner\n     - Third level\n2. Two');
});

it('parse_document writes a footnote after the text whose sentence contains it', async () => {
  const texts = [
    [72, 700, 'The sentence'],
    [72, 100, '1 A note.'],
    [145, 700, 'goes on.'],
    [72, 660, 'The end.'],
  ] as const;
  const path = taggedPage('note-within', texts, {
    20: root('21 0 R 23 0 R'),
    21: element('P', '0 22 0 R 2'),
    22: element('Note', '1'),
    23: element('P', '3'),
  });
  expect(await parse(path)).toBe('The sentence goes on.\n\nThe end.\n\n[^1]: A note.');
});

it('parse_document reads an entry of a table of contents whose dots are artifacts', async () => {
  const dots = '.'.repeat(100);
  const content = [
    '/P<</MCID 0>>BDC BT /F1 10 Tf 72 700 Td (First chapter) Tj ET EMC',
    `/Artifact BMC BT /F1 10 Tf 150 700 Td (${dots}) Tj ET EMC`,
    '/P<</MCID 1>>BDC BT /F1 10 Tf 752 700 Td (7) Tj ET EMC',
  ].join('\n');
  const widths = Array.from({ length: 95 }, () => 600).join(' ');
  const fonts = '<</Font<</F1 6 0 R>>>>';
  const path = put(
    'leaders.pdf',
    file({
      1: '<</Type/Catalog/Pages 2 0 R/MarkInfo<</Marked true>>/StructTreeRoot 20 0 R>>',
      2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      3: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 800 792]/Contents 5 0 R/Resources${fonts}>>`,
      5: `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
      6: `<</Type/Font/Subtype/Type1/BaseFont/Helvetica/FirstChar 32/LastChar 126/Widths[${widths}]>>`,
      20: root('21 0 R'),
      21: element('P', '0 1'),
    }),
  );
  expect(await parse(path)).toMatch(/^First chapter\.{100} 7$/);
});

it('parse_document reads the letter o in Courier as the bullet that Word draws with it', async () => {
  const texts = [
    [72, 700, 'o', 'Courier'],
    [90, 700, 'First'],
    [72, 680, 'o', 'Courier'],
    [90, 680, 'Second'],
  ] as const;
  const path = taggedPage('word-circles', texts, {
    20: root('21 0 R'),
    21: element('L', '22 0 R 23 0 R'),
    22: element('LI', '31 0 R 32 0 R'),
    23: element('LI', '33 0 R 34 0 R'),
    31: element('Lbl', '0'),
    32: element('LBody', '1'),
    33: element('Lbl', '2'),
    34: element('LBody', '3'),
  });
  expect(await parse(path)).toBe('- First\n- Second');
});
