/** Makes tagged PDFs of one page for the tests. */
import { put } from './test-files.ts';
import { file, type Objects } from './test-hostile-files.ts';

/** The left edge and the baseline in points from the bottom left corner, the text, and its font. */
export type TaggedText = readonly [x: number, y: number, text: string, font?: 'Courier'];

/**
 * Writes a page with these texts. Each text is marked content, numbered from 0. `tree` contains the objects of the
 * structure tree, from number 20, which is the root.
 */
export function taggedPage(name: string, texts: readonly TaggedText[], tree: Objects): string {
  const drawn = texts.map(
    ([x, y, text, font]) =>
      `BT /${font === 'Courier' ? 'F2' : 'F1'} 10 Tf ${x} ${y} Td (${text.replace(/[()\\]/g, '\\$&')}) Tj ET`,
  );
  const content = drawn.map((one, at) => `/P<</MCID ${at}>>BDC ${one} EMC`).join('\n');
  const fonts = '<</Font<</F1 6 0 R/F2 7 0 R>>>>';
  return put(
    `${name}.pdf`,
    file({
      1: '<</Type/Catalog/Pages 2 0 R/MarkInfo<</Marked true>>/StructTreeRoot 20 0 R>>',
      2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      3: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R/Resources${fonts}>>`,
      5: `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
      6: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      7: '<</Type/Font/Subtype/Type1/BaseFont/Courier>>',
      ...tree,
    }),
  );
}

/** Returns a structure element with these kids. `more` contains other entries. */
export const element = (type: string, kids: string, more = '') =>
  `<</Type/StructElem/S/${type}/Pg 3 0 R${more}/K[${kids}]>>`;
