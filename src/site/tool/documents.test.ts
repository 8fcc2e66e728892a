import { expect, it } from 'vitest';
import { splitDocument } from './documents.ts';

it('the section about the page is apart from the reference', () => {
  const html =
    '<p>a</p><h3 id="doc-how-to-use-it">How to use it</h3>\n<ol></ol>\n<h3 id="doc-limits">Limits</h3>';
  expect(splitDocument(html)).toEqual({
    guide: '\n<ol></ol>\n',
    reference: '<p>a</p><h3 id="doc-limits">Limits</h3>',
  });
  expect(splitDocument('<p>a</p>')).toEqual({ guide: '', reference: '<p>a</p>' });
});
