/** Finds a page's links to addresses outside the document (ISO 32000-1, section 12.6.4.7). */
import type { PdfDocument } from './document.ts';
import { PdfString } from './objects.ts';
import { type Box, boxOf, type Matrix } from './page-space.ts';
import type { Page } from './pages.ts';

const MAX_LINKS = 5000;
const MAX_URI = 2000;

export interface PageLink {
  box: Box;
  uri: string;
}

export function pageLinks(document: PdfDocument, { dictionary }: Page, matrix: Matrix): PageLink[] {
  const annotations = document.array(dictionary.get('Annots')) ?? [];
  return annotations.slice(0, MAX_LINKS).flatMap((item) => {
    const annotation = document.dictionary(item);
    const action = document.dictionary(annotation?.get('A'));
    const uri = document.resolve(action?.get('URI'));
    const rectangle = document.numbers(annotation?.get('Rect'), 4);
    if (!(uri instanceof PdfString) || uri.bytes.length > MAX_URI || !rectangle) return [];
    const [x0, y0, x1, y1] = rectangle;
    const address = String.fromCharCode(...uri.bytes);
    const isUsable = /^(?:https?:|mailto:)[^\s()<>]+$/i.test(address);
    return isUsable ? [{ box: boxOf(matrix, x0!, y0!, x1!, y1!), uri: address }] : [];
  });
}
