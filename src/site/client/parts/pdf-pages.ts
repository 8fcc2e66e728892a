/** Renders the pages of a PDF as images with pdf.js. In a long PDF, pages are drawn only when they are needed. */
import type { PDFDocumentLoadingTask, PDFDocumentProxy } from 'pdfjs-dist';
import libraryPath from 'pdfjs-dist/build/pdf.min.mjs';
import workerPath from 'pdfjs-dist/build/pdf.worker.min.mjs';
import { make } from './elements.ts';

const PAGES_AT_ONCE = 12;
/** The width of a drawn page in pixels. The grid shows pages at no more than two thirds of this width. */
const WIDTH = 360;

let queue: Promise<unknown> = Promise.resolve();

/** The number of bytes that are searched for an encryption entry, at each end of a PDF. */
const ENDS = 2 ** 16;

/** Whether a PDF can be opened only with a password. */
export async function isLocked(file: Blob): Promise<boolean> {
  const ends = await new Blob([file.slice(0, ENDS), file.slice(-ENDS)]).text();
  if (!ends.includes('/Encrypt')) return false;
  try {
    const task = await open(file);
    await task.promise.finally(() => task.destroy());
    return false;
  } catch (error) {
    return (error as Error).name === 'PasswordException';
  }
}

/** Returns an element that shows the pages of `blob` as they are drawn. `onTotal` receives the number of pages. */
export function pdfPages(blob: Blob, onTotal: (total: number) => void): HTMLElement {
  const list = make('ol', { className: 'pages', tabIndex: 0, ariaLabel: 'Pages of the PDF' });
  const box = make('div', { className: 'stack', ariaBusy: 'true' }, list);
  drawPages(blob, box, list, onTotal)
    .catch(() => {
      const textContent = 'This browser cannot show a preview of this PDF.';
      box.replaceChildren(make('p', { className: 'soft', textContent }));
    })
    .finally(() => box.removeAttribute('aria-busy'));
  return box;
}

/**
 * Returns a canvas on which the first page of `blob` is then drawn. The canvas is removed if the page cannot be drawn.
 *
 * @param onTotal receives the number of pages
 */
export function firstPage(
  blob: Blob,
  name: string,
  onTotal: (total: number) => void = () => {},
): HTMLElement {
  const canvas = make('canvas', { width: WIDTH, height: WIDTH });
  // Only one document is drawn at a time, because each document starts its own worker.
  queue = queue
    .then(async () => {
      const task = await open(blob);
      const document = await task.promise;
      onTotal(document.numPages);
      await drawPage(document, 1, canvas, name).finally(() => task.destroy());
    })
    .catch(() => canvas.remove());
  return canvas;
}

/**
 * Returns the pages of a PDF as canvases, which are drawn when they come into view. Throws if the PDF cannot be read.
 *
 * @param width the width of a drawn page in pixels
 * @param closed closes the document. If it is given, a page that leaves the view is removed from memory and drawn again
 * later.
 */
export async function lazyPages(
  blob: Blob,
  width = WIDTH,
  closed?: AbortSignal,
): Promise<HTMLCanvasElement[]> {
  const task = await open(blob);
  const document = await task.promise;
  const numbers = new Map<Element, number>();
  const visible = new Set<HTMLCanvasElement>();
  const draw = async (canvas: HTMLCanvasElement) => {
    if (!visible.has(canvas)) return;
    const number = numbers.get(canvas)!;
    await drawPage(document, number, canvas, `Page ${number}`, width);
    // The page may have left the view while it was drawn.
    if (visible.has(canvas)) canvas.style.removeProperty('aspect-ratio');
    else releaseCanvas(canvas);
  };
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      const canvas = target as HTMLCanvasElement;
      if (isIntersecting) {
        visible.add(canvas);
        if (!closed) observer.unobserve(canvas);
        queue = queue.then(() => draw(canvas)).catch(() => {});
      } else if (closed) {
        visible.delete(canvas);
        releaseCanvas(canvas);
      }
    }
  });
  closed?.addEventListener('abort', () => {
    observer.disconnect();
    void task.destroy();
  });
  return Array.from({ length: document.numPages }, (_, index) => {
    // The canvas has the proportions of an A4 page until the page is drawn.
    const canvas = make('canvas', { width, height: width * Math.SQRT2 });
    numbers.set(canvas, index + 1);
    observer.observe(canvas);
    return canvas;
  });
}

/** Frees the memory of a drawn page. The element keeps its proportions. */
function releaseCanvas(canvas: HTMLCanvasElement): void {
  if (canvas.width === 0) return;
  canvas.style.aspectRatio = `${canvas.width} / ${canvas.height}`;
  canvas.width = 0;
}

async function drawPages(
  blob: Blob,
  box: HTMLElement,
  list: HTMLElement,
  onTotal: (total: number) => void,
): Promise<void> {
  const document = await (await open(blob)).promise;
  const total = document.numPages;
  onTotal(total);
  const more = make('button', { type: 'button', className: 'small' });
  const drawMore = async () => {
    more.remove();
    const from = list.children.length + 1;
    const to = Math.min(total, from + PAGES_AT_ONCE - 1);
    for (let number = from; number <= to; number++) {
      const canvas = make('canvas');
      await drawPage(document, number, canvas, `Page ${number}`);
      const label = make('span', { className: 'soft', textContent: String(number) });
      list.append(make('li', {}, canvas, label));
    }
    more.textContent = `Show more (${total - to} of ${total} pages left)`;
    if (to < total) box.append(more);
    else await document.loadingTask.destroy();
  };
  more.addEventListener('click', drawMore);
  await drawMore();
}

async function drawPage(
  document: PDFDocumentProxy,
  number: number,
  canvas: HTMLCanvasElement,
  label: string,
  width = WIDTH,
): Promise<void> {
  const page = await document.getPage(number);
  const viewport = page.getViewport({ scale: width / page.getViewport({ scale: 1 }).width });
  canvas.width = viewport.width;
  // A very long page is cut off at four times its width.
  canvas.height = Math.min(viewport.height, 4 * width);
  canvas.role = 'img';
  canvas.ariaLabel = label;
  await page.render({ canvas, viewport }).promise;
  page.cleanup();
}

async function open(blob: Blob): Promise<PDFDocumentLoadingTask> {
  const pdfJs: typeof import('pdfjs-dist') = await import(libraryPath);
  const { getDocument, GlobalWorkerOptions, version } = pdfJs;
  const parts = `/assets/pdfjs-${version}/`;
  GlobalWorkerOptions.workerSrc = workerPath;
  return getDocument({
    data: await blob.arrayBuffer(),
    // The page's content security policy forbids WebAssembly.
    useWasm: false,
    wasmUrl: parts,
    cMapUrl: parts,
    useSystemFonts: true,
  });
}
