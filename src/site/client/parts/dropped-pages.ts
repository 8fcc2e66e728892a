/** The pages of each PDF to merge. A click leaves a page out; the rest is extracted before the files are merged. */
import { callForm } from './api.ts';
import { make } from './elements.ts';
import { rangesOf } from './page-ranges.ts';
import { lazyPages } from './pdf-pages.ts';

const EXTRACT = '/tools/split_pdf/run';

interface Pages {
  total: number;
  remaining: Set<number>;
}

const pagesOf = new WeakMap<File, Pages>();

/** A fold with the pages of `file`, which are drawn when it is opened. */
export function droppablePages(file: File): HTMLElement {
  const summary = make('summary', { textContent: 'Pages' });
  const grid = make('ol', { className: 'pages', tabIndex: 0, ariaLabel: `Pages of ${file.name}` });
  const fold = make('details', { className: 'whole' }, summary, grid);
  const showCount = () => {
    const pages = pagesOf.get(file);
    if (pages) summary.textContent = `${pages.remaining.size} of ${pages.total} pages`;
  };
  showCount();
  fold.addEventListener('toggle', async () => {
    if (!fold.open || grid.hasChildNodes()) return;
    try {
      const canvases = await lazyPages(file);
      const all = new Set(canvases.map((_, index) => index + 1));
      const pages = pagesOf.get(file) ?? { total: canvases.length, remaining: all };
      pagesOf.set(file, pages);
      grid.append(
        ...canvases.map((canvas, index) => pageItem(canvas, index + 1, pages, showCount)),
      );
      showCount();
    } catch {
      summary.textContent = 'The pages of this PDF cannot be shown';
    }
  });
  return fold;
}

function pageItem(
  canvas: HTMLCanvasElement,
  number: number,
  { remaining }: Pages,
  showCount: () => void,
): HTMLElement {
  const label = make('span', { textContent: String(number) });
  const button = make('button', { type: 'button', ariaLabel: `Page ${number}` }, canvas, label);
  const mark = () => {
    button.ariaPressed = String(remaining.has(number));
  };
  button.addEventListener('click', () => {
    // A file without pages is removed from the list instead.
    if (!remaining.delete(number)) remaining.add(number);
    else if (remaining.size === 0) remaining.add(number);
    mark();
    showCount();
  });
  mark();
  return make('li', {}, button);
}

/** The file with only its remaining pages. */
export async function withoutDropped(file: File, signal: AbortSignal): Promise<File> {
  const pages = pagesOf.get(file);
  if (!pages || pages.remaining.size === pages.total) return file;
  const body = callForm('split_pdf', [file], { ranges: [rangesOf(pages.remaining)] });
  const answer = await fetch(EXTRACT, { method: 'POST', body, signal });
  if (!answer.ok) throw new Error((await answer.json()).error);
  return new File([await answer.blob()], file.name, { type: file.type });
}
