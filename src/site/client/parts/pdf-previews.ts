/** Shows what the PDFs in a list of files contain. */
import { arrangeablePages } from './arranged-pages.ts';
import { make } from './elements.ts';
import { NARROW } from './narrow.ts';
import { firstPage } from './pdf-pages.ts';

/** The pages of a few short PDFs are shown without a click, except on a phone, where they would fill the screen. */
const MAX_OPEN = { files: 3, pages: 10 };

interface Cover {
  /** The first page. */
  image: HTMLElement;
  /** The number of pages, as text after the file's size. It is empty until the PDF is opened. */
  total: HTMLElement;
}

interface PdfPreviews {
  coverOf(file: File): Cover;
  /** Returns the section with all pages, in which the visitor can arrange them. */
  pagesOf(file: File): HTMLElement;
}

/**
 * Returns the previews for the rows of `list`. They are reused when the rows are rebuilt, so that a PDF is opened once
 * and an open section stays open.
 */
export function pdfPreviews(list: HTMLElement): PdfPreviews {
  const covers = new WeakMap<File, Cover>();
  const sections = new WeakMap<File, HTMLElement>();

  function coverOf(file: File): Cover {
    const total = make('span');
    const showTotal = (count: number) => {
      total.textContent = count === 1 ? ', 1 page' : `, ${count} pages`;
      const isShort = list.children.length <= MAX_OPEN.files && count <= MAX_OPEN.pages;
      if (isShort && !NARROW.matches) sections.get(file)?.setAttribute('open', '');
    };
    const cover = covers.get(file) ?? {
      image: firstPage(file, `First page of ${file.name}`, showTotal),
      total,
    };
    covers.set(file, cover);
    return cover;
  }

  function pagesOf(file: File): HTMLElement {
    const section = sections.get(file) ?? arrangeablePages(file);
    sections.set(file, section);
    return section;
  }

  return { coverOf, pagesOf };
}
