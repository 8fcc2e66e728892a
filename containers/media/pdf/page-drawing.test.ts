import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { file, simple } from '../operations/pdf/test-hostile-files.ts';
import { PdfDocument } from './document.ts';
import { pageDrawing } from './page-drawing.ts';
import { readPages } from './pages.ts';

it('pageDrawing reads a limited number of bytes of forms that are drawn many times', () => {
  const stream = (entries: string, content: string | Buffer) => {
    const encoded = deflateSync(content).toString('latin1');
    const head = `<</Filter/FlateDecode${entries}/Length ${encoded.length}>>`;
    return `${head}\nstream\n${encoded}\nendstream`;
  };
  const form = Buffer.alloc(16 * 1024 * 1024, ' ');
  form.write('/F 9 Tf (a) Tj');
  const document = new PdfDocument(
    file({
      ...simple({ 4: stream('', '/X Do '.repeat(1_000_000)) }),
      3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Resources<</XObject<</X 5 0 R>>>>/Contents 4 0 R>>',
      5: stream('/Subtype/Form', form),
    }),
  );
  const [page] = readPages(document).list;
  expect(pageDrawing(document, page!).spans).toHaveLength(4);
});
