/** Tests the compression of documents whose resources have many names or one long name. */
import { expect, it } from 'vitest';
import { file, simple } from '../../operations/pdf/test-hostile-files.ts';
import { PdfDocument } from '../document.ts';
import type { PdfStream, PdfValue } from '../objects.ts';
import { readPages } from '../pages.ts';
import { decodedData } from '../stream-data.ts';
import { Draft } from './draft.ts';
import { mergeResourceNames } from './resource-names.ts';
import { shownText } from './shown-text.ts';

const FONT = '<</Type/Font/Subtype/Type1/BaseFont/Courier>>';
const stream = (content: string, entries = '') =>
  `<<${entries}/Length ${content.length}>>\nstream\n${content}\nendstream`;
const pageOf = (fonts: string) =>
  `<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Resources<</Font<<${fonts}>>>>/Contents 4 0 R>>`;

it('mergeResourceNames uses the shortest name', () => {
  const long = 'x'.repeat(1_000_000);
  const content = '/B 9 Tf '.repeat(100_000);
  const draft = new Draft(
    new PdfDocument(
      file({
        ...simple({ 4: stream(`/${long} 9 Tf ${content}`) }),
        3: pageOf(`/${long} 5 0 R/B 5 0 R/C 5 0 R`),
        5: FONT,
      }),
    ),
  );
  expect(mergeResourceNames(draft)).toEqual([0]);
  const [page] = readPages(draft.document).list;
  const [contents] = draft.list(draft.dictionary(page!.reference)!.get('Contents'));
  const data = decodedData(draft, draft.resolve(contents as PdfValue) as PdfStream, 1e9);
  expect(data?.length).toBe(content.length + '/B 9 Tf '.length);
});

it('shownText ends if thousands of fonts have the name of a font that has many texts', () => {
  const count = 20_000;
  const fonts = Object.fromEntries(Array.from({ length: count }, (_, at) => [100 + at, FONT]));
  const dictionaries = Array.from({ length: count }, (_, at) => `<</Font<</F ${100 + at} 0 R>>>>`);
  const holders = Object.fromEntries(dictionaries.map((own, at) => [100 + count + at, own]));
  const references = dictionaries.map((_, at) => `${100 + count + at} 0 R`).join(' ');
  const form = `/F 9 Tf (${'text'.repeat(1_000_000)}) Tj`;
  const document = file({
    ...simple({ 4: stream('') }),
    3: pageOf('').replace('/Contents', `/PieceInfo<</A[${references}]/B 5 0 R>>/Contents`),
    5: stream(form, '/Type/XObject/Subtype/Form'),
    ...fonts,
    ...holders,
  });
  expect(() => shownText(new Draft(new PdfDocument(document)))).toThrow('the content is too long');
});
