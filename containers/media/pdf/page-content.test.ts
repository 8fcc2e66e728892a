import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { file, simple } from '../operations/pdf/test-hostile-files.ts';
import { PdfDocument } from './document.ts';
import { findHugePage, MAX_CONTENT_BYTES } from './page-content.ts';
import { readPages } from './pages.ts';

it.each([
  ['/FlateDecode', 1, 1.1, 1],
  ['[/FlateDecode/FlateDecode]', 2, 1.1, 1],
  ['[/FlateDecode/FlateDecode]', 2, 0.9, undefined],
])('findHugePage measures content with the filters %s', (filters, times, share, expected) => {
  let content = Buffer.alloc(MAX_CONTENT_BYTES * share, 'BT ET\n');
  for (let time = 0; time < times; time += 1) content = deflateSync(content);
  const stream = `<</Filter${filters}/Length ${content.length}>>\nstream\n${content.toString('latin1')}\nendstream`;
  const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R>>';
  const document = new PdfDocument(file({ ...simple({ 4: stream }), 3: page }));
  expect(findHugePage(document, readPages(document).list)).toBe(expected);
});
