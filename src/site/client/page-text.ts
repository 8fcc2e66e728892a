/** Shows the pages of a PDF or an image beside the text that was read from them. The page loads this script on demand. */
import { parsePageRanges } from '../../tools/split_pdf/page-ranges.ts';
import { make } from './parts/elements.ts';
import { lazyPages } from './parts/pdf-pages.ts';

/** The width of a drawn page in pixels, which is enough to read small print. */
const WIDTH = 1000;
/** Matches the lines that the tools insert between the pages of a document. */
const PAGE_MARK = /\n--- Page (\d+) ---\n/;

/**
 * Opens a dialog with a row for each page: the page, and its text.
 *
 * @param ranges the pages that were read, such as `2-4, 7`. If empty, these are all pages.
 */
export async function showPageText(file: File, text: string, ranges: string): Promise<void> {
  const rows = make('ol', { className: 'page-texts' });
  const close = make('button', { type: 'button', textContent: 'Close' });
  const title = make('h2', { textContent: file.name });
  const dialog = make(
    'dialog',
    { className: 'beside', ariaLabel: `${file.name} and its text` },
    make('div', { className: 'cluster apart' }, title, close),
    rows,
  );
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  const pages = await pagesOf(file);
  rows.replaceChildren(
    ...textsOf(text, ranges).map(([number, words]) => {
      const page = pages[number - 1] ?? make('p', { className: 'soft', textContent: NOT_SHOWN });
      const said = words.trim() || 'No text was found on this page.';
      const label = `Page ${number}`;
      return make('li', { ariaLabel: label }, page, make('div', { className: 'said' }, said));
    }),
  );
}

const NOT_SHOWN = 'This browser cannot show this page.';

/** Returns the page numbers with their texts. */
function textsOf(text: string, ranges: string): [page: number, text: string][] {
  const [first = '', ...others] = text.split(PAGE_MARK);
  const begin = ranges ? Math.min(...parsePageRanges(ranges).map(([from]) => from)) : 1;
  const texts: [number, string][] = [[begin, first]];
  for (let index = 0; index < others.length; index += 2)
    texts.push([Number(others[index]), others[index + 1] ?? '']);
  return texts;
}

/** Returns the pages that the browser can show. */
async function pagesOf(file: File): Promise<HTMLElement[]> {
  if (!file.type.startsWith('image/')) return lazyPages(file, WIDTH).catch(() => []);
  const image = make('img', { src: URL.createObjectURL(file), alt: 'Page 1' });
  try {
    await image.decode();
    return [image];
  } catch {
    return [];
  } finally {
    URL.revokeObjectURL(image.src);
  }
}
