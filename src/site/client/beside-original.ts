/** Shows an original beside its text or its result, page by page, in a dialog. The page loads this script on demand. */

import { sizeText } from '../../core/size-text.ts';
import { parsePageRanges } from '../../tools/split_pdf/page-ranges.ts';
import { PAGE_MARK } from '../tool/results/page-mark.ts';
import { make } from './parts/elements.ts';
import { lazyPages } from './parts/pdf-pages.ts';

/** The width of a drawn page in pixels, which is enough to read small print. */
const WIDTH = 1000;

const NOT_SHOWN = 'This browser cannot show this page.';

/**
 * Shows the pages of a PDF or an image, each beside its text.
 *
 * @param ranges the pages that were read, such as `2-4, 7`. If empty, these are all pages.
 */
export async function showText(original: File, text: string, ranges: string): Promise<void> {
  const texts = textsOf(text, ranges);
  const { rows, closed } = openDialog(make('strong', { textContent: original.name }));
  const pages = await pagesOf(original, closed);
  rows.replaceChildren(
    ...texts.map(([number, words]) => {
      const text = words.trim() || 'No text was found on this page.';
      return row(number, pages[number - 1], make('div', { className: 'page-text' }, text));
    }),
  );
}

/** Shows the pages of a PDF, each beside the same page of its result. */
export async function showPages(original: File, result: File): Promise<void> {
  const { rows, closed } = openDialog(
    make('strong', { textContent: `Original, ${sizeText(original.size)}` }),
    make('strong', { textContent: `Result, ${sizeText(result.size)}` }),
  );
  const [before, after] = await Promise.all([pagesOf(original, closed), pagesOf(result, closed)]);
  if (after.length === 0) rows.replaceChildren(make('li', { textContent: NOT_SHOWN }));
  else rows.replaceChildren(...after.map((page, index) => row(index + 1, before[index], page)));
}

/** Opens a dialog whose columns have these headings. Returns its list of rows, and a signal that it was closed. */
function openDialog(...headings: readonly HTMLElement[]) {
  const controller = new AbortController();
  const close = make('button', { type: 'button', textContent: 'Close' });
  const rows = make('ol', {}, make('li', { className: 'soft', textContent: 'Loading…' }));
  const head = make('div', { className: 'beside-head' }, ...headings, close);
  const ariaLabel = 'Comparison with the original';
  const dialog = make('dialog', { className: 'beside', ariaLabel }, head, rows);
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    dialog.remove();
    controller.abort();
  });
  document.body.append(dialog);
  dialog.showModal();
  return { rows, closed: controller.signal };
}

function row(number: number, page: HTMLElement | undefined, beside: HTMLElement): HTMLElement {
  const left = page ?? make('p', { className: 'soft', textContent: NOT_SHOWN });
  return make('li', { ariaLabel: `Page ${number}` }, left, beside);
}

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
async function pagesOf(file: File, closed: AbortSignal): Promise<HTMLElement[]> {
  if (!file.type.startsWith('image/')) return lazyPages(file, WIDTH, closed).catch(() => []);
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
