/** Tests the fallback of each operation for files that qpdf can read but our reader rejects. */
import { afterAll, describe, expect, it } from 'vitest';
import { emptyFolder, operate, put } from './test-files.ts';
import { file, simple } from './test-hostile-files.ts';

afterAll(emptyFolder);

/** An array that is nested more deeply than our reader accepts. */
const DEEP = '['.repeat(150) + ']'.repeat(150);
const CONTENT = 'BT /F 12 Tf 9 50 Td (words on a page) Tj ET';

const path = put(
  'deep.pdf',
  file(
    simple({
      2: '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
      3: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/PieceInfo<</A<</Private ${DEEP}>>>>>>`,
      4: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 99]/Contents 5 0 R/Resources<</Font<</F 6 0 R>>>>>>',
      5: `<</Length ${CONTENT.length}>>\nstream\n${CONTENT}\nendstream`,
      6: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    }),
  ),
);

describe('a file that only qpdf can read', () => {
  it.each([{}, { pages: [[2, 2]] }, { format: 'markdown', layout: true }])(
    'is read by parse_document with %j',
    async (params) => {
      const { bytes } = await operate('parse_document', params, [path]);
      const { text, metadata } = JSON.parse(bytes.toString());
      expect(text).toContain('words on a page');
      expect(metadata.pages).toBe(2);
    },
  );

  it('is read as plain text if Markdown is requested, with a warning', async () => {
    const { meta } = await operate('parse_document', { format: 'markdown' }, [path]);
    expect(meta.warnings).toEqual([
      'Page 2: headings and tables could not be found, so the text is plain.',
    ]);
  });

  it('is returned unchanged by compress_pdf, with the reason', async () => {
    const { bytes, meta } = await operate('compress_pdf', {}, [path]);
    expect(bytes.length).toBe(0);
    expect(meta).toMatchObject({ pages: 2, unchanged: expect.stringContaining('malformed') });
  });

  it('is inserted by images_to_pdf, with a warning', async () => {
    const params = { pageSize: 'fit', margin: 0 };
    for (const paths of [[path], [path, path]]) {
      const { meta } = await operate('images_to_pdf', params, paths);
      expect(meta.pages).toBe(2 * paths.length);
      expect(meta.warnings).toEqual([expect.stringContaining('malformed')]);
    }
  });

  it('is recognized by extract_text_ocr', async () => {
    const params = { languages: ['eng'], output: 'text' };
    const { bytes } = await operate('extract_text_ocr', params, [path]);
    expect(bytes.toString()).toContain('words on a page');
  });
});

it.each([
  ['split_pdf', { ranges: [[[1, 1]]] }, 1],
  ['merge_pdf', {}, 2],
])('%s refuses a file with a page that qpdf cannot read', async (name, params, count) => {
  // qpdf reads 500 levels of nesting, and replaces deeper levels with null.
  const deep = '['.repeat(2000) + ']'.repeat(2000);
  const page = `<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/PieceInfo<</A<</Private ${deep}>>>>>>`;
  const input = put('deeper.pdf', file(simple({ 3: page })));
  await expect(operate(name, params, Array(count).fill(input))).rejects.toMatchObject({
    code: 'bad_request',
  });
});
