/** Writes a PDF of blank pages. */
import { dictionary, name, PdfReference } from './objects.ts';
import { asciiBytes } from './serialize.ts';
import { wholeFile } from './whole-file.ts';
import { writtenObject } from './write-section.ts';

const CATALOG = new PdfReference(1, 0);
const PAGE_TREE = new PdfReference(2, 0);
const FIRST_PAGE = 3;

export interface BlankPage {
  /** The left, bottom, right and top edges in points. */
  MediaBox: number[];
  /** In degrees. */
  Rotate: number;
}

export function blankDocument(pages: readonly BlankPage[]): Uint8Array {
  const kids = pages.map((_, index) => new PdfReference(FIRST_PAGE + index, 0));
  const tree = dictionary({ Type: name('Pages'), Kids: kids, Count: kids.length });
  const written = [
    writtenObject(CATALOG.number, 0, dictionary({ Type: name('Catalog'), Pages: PAGE_TREE })),
    writtenObject(PAGE_TREE.number, 0, tree),
    ...pages.map((page, index) => {
      const entries = { Type: name('Page'), Parent: PAGE_TREE, ...page };
      return writtenObject(FIRST_PAGE + index, 0, dictionary(entries));
    }),
  ];
  const objects = { written, next: FIRST_PAGE + pages.length };
  const trailer = dictionary({ Root: CATALOG });
  return wholeFile(asciiBytes('%PDF-1.7'), objects, { compressed: false, trailer });
}
