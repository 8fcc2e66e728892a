/** Makes PDF files object by object, with content that no PDF program writes. */

export type Objects = Record<number, string>;

/** Makes a file with these objects and a valid cross-reference table. Object 1 is the catalog. */
export function file(objects: Objects, trailer = ''): Buffer {
  const parts: string[] = ['%PDF-1.7\n'];
  let length = 9;
  const size = Math.max(...Object.keys(objects).map(Number)) + 1;
  const table = Array.from({ length: size }, () => '0000000000 65535 f \n');
  for (const [number, object] of Object.entries(objects)) {
    table[Number(number)] = `${String(length).padStart(10, '0')} 00000 n \n`;
    const text = `${number} 0 obj\n${object}\nendobj\n`;
    parts.push(text);
    length += text.length;
  }
  parts.push(`xref\n0 ${size}\n`, ...table, `trailer\n<</Size ${size}/Root 1 0 R${trailer}>>\n`);
  return Buffer.from(`${parts.join('')}startxref\n${length}\n%%EOF\n`, 'latin1');
}

export const PAGE = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>';
/** Returns the objects of a one-page file, with additional objects and catalog entries. */
export const simple = (more: Objects = {}, catalog = ''): Objects => ({
  1: `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
  2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  3: PAGE,
  ...more,
});

/** Makes a file with a page of Letter size that has this content. Its font `F1` is Helvetica. */
export const written = (content: string): Buffer =>
  file({
    ...simple({
      4: `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
      5: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    }),
    3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
  });

/** Makes a file with this many named destinations, 20 bytes each. */
export function manyNames(count: number): Buffer {
  const names = Array.from({ length: count }, (_, index) => `(${1e6 + index})[3 0 R/Fit]`).join('');
  const outlines = {
    7: '<</First 6 0 R/Last 6 0 R>>',
    6: '<</Title(a)/Parent 7 0 R/Dest(nowhere)>>',
  };
  const objects = simple(
    { ...outlines, 9: `<</Names[${names}]>>` },
    '/Outlines 7 0 R/Names<</Dests 9 0 R>>',
  );
  return file(objects);
}
