/**
 * Shows the pages of each PDF to merge. A click excludes a page, dragging or the arrow buttons move it, and a button
 * rotates it. The pages are rotated in the browser, and the remaining ones are extracted in the new order before the
 * files are merged.
 */
import { callForm, errorIn } from './api.ts';
import { make } from './elements.ts';
import { errorText } from './error-text.ts';
import { rangesOf } from './page-ranges.ts';
import { lazyPages } from './pdf-pages.ts';
import { rotatedFile } from './rotated-file.ts';

const EXTRACT = '/tools/split_pdf/run';

interface Pages {
  total: number;
  /** All pages in their new order. */
  order: number[];
  excluded: Set<number>;
  /** The clockwise rotations in degrees, by page. A page that is not rotated has no entry. */
  rotations: Map<number, number>;
}

const pagesOf = new WeakMap<File, Pages>();

/** The changes to the pages of a file, as they are saved for a reload. */
export type SavedPages = Pick<Pages, 'total' | 'order'> & {
  excluded: number[];
  rotations: [page: number, degrees: number][];
};

export function savedPages(file: File): SavedPages | undefined {
  const pages = pagesOf.get(file);
  return pages && { ...pages, excluded: [...pages.excluded], rotations: [...pages.rotations] };
}

export const restorePages = (file: File, { excluded, rotations, ...rest }: SavedPages) =>
  void pagesOf.set(file, { ...rest, excluded: new Set(excluded), rotations: new Map(rotations) });

const natural = (total: number) => Array.from({ length: total }, (_, index) => index + 1);
const remaining = ({ order, excluded }: Pages) => order.filter((page) => !excluded.has(page));
const isMoved = ({ order }: Pages) => order.some((page, index) => page !== index + 1);

/** Returns a collapsible section for the pages of `file`. The pages are rendered when the section is opened. */
export function arrangeablePages(file: File): HTMLElement {
  const summary = make('summary', { textContent: 'Pages' });
  const grid = make('ol', { className: 'pages', tabIndex: 0, ariaLabel: `Pages of ${file.name}` });
  const status = make('span', { className: 'hidden', role: 'status' });
  const fold = make('details', { className: 'whole' }, summary, grid, status);
  const showCount = () => {
    const pages = pagesOf.get(file);
    if (!pages) return;
    const moved = isMoved(pages) ? ', rearranged' : '';
    const suffix = pages.rotations.size > 0 ? ', rotated' : '';
    summary.textContent = `${remaining(pages).length} of ${pages.total} pages${moved}${suffix}`;
  };
  showCount();
  fold.addEventListener('toggle', async () => {
    if (!fold.open || grid.hasChildNodes()) return;
    try {
      const canvases = await lazyPages(file);
      const total = canvases.length;
      const untouched = {
        total,
        order: natural(total),
        excluded: new Set<number>(),
        rotations: new Map(),
      };
      const pages = pagesOf.get(file) ?? untouched;
      pagesOf.set(file, pages);
      fillGrid(grid, status, canvases, pages, showCount);
      showCount();
    } catch {
      summary.textContent = 'The pages of this PDF cannot be shown';
    }
  });
  return fold;
}

function fillGrid(
  grid: HTMLElement,
  status: HTMLElement,
  canvases: readonly HTMLCanvasElement[],
  pages: Pages,
  showCount: () => void,
): void {
  const items = new Map<number, HTMLElement>();

  function tell(text: string): void {
    status.textContent = text;
    showCount();
  }

  function showOrder(): void {
    grid.append(...pages.order.map((page) => items.get(page)!));
    for (const button of grid.querySelectorAll<HTMLButtonElement>('[data-by]')) {
      const at = pages.order.indexOf(Number(button.dataset.page)) + Number(button.dataset.by);
      button.disabled = at < 0 || at >= pages.total;
    }
  }

  function move(page: number, to: number): void {
    if (to < 0 || to >= pages.total) return;
    const focused = document.activeElement as HTMLElement | null;
    pages.order.splice(pages.order.indexOf(page), 1);
    pages.order.splice(to, 0, page);
    showOrder();
    // Moving an element removes its focus. If the pressed button is now disabled, another of the page's buttons gets
    // the focus.
    focused?.focus();
    if (document.activeElement !== focused) items.get(page)!.querySelector('button')!.focus();
    tell(`Page ${page} is now number ${to + 1} of ${pages.total}.`);
  }

  function arrow(page: number, by: -1 | 1): HTMLButtonElement {
    const ariaLabel = `Move page ${page} ${by < 0 ? 'back' : 'forward'}`;
    const button = make('button', { type: 'button', textContent: by < 0 ? '‹' : '›', ariaLabel });
    Object.assign(button.dataset, { page, by });
    button.addEventListener('click', () => move(page, pages.order.indexOf(page) + by));
    return button;
  }

  for (const [index, canvas] of canvases.entries()) {
    const page = index + 1;
    const label = make('span', { textContent: String(page) });
    const arrows = [arrow(page, -1), label, arrow(page, 1)];
    const rotate = rotateButton(canvas, page, pages, tell);
    const row = make('div', { className: 'cluster' }, ...arrows, rotate);
    items.set(page, make('li', {}, toggle(canvas, page, pages, showCount), row));
  }
  makeDraggable(items, (page, onto) => move(page, pages.order.indexOf(onto)));
  showOrder();
}

/** Lets the visitor drag each page onto another one. */
function makeDraggable(
  items: ReadonlyMap<number, HTMLElement>,
  drop: (page: number, onto: number) => void,
): void {
  let dragged: number | undefined;
  for (const [page, item] of items) {
    item.draggable = true;
    item.addEventListener('dragstart', (event) => {
      // The event must not reach the file's row, which is draggable too.
      event.stopPropagation();
      // Firefox does not start a drag unless data is set.
      event.dataTransfer!.setData('text/x-page', String(page));
      dragged = page;
    });
    item.addEventListener('dragend', () => {
      dragged = undefined;
    });
    item.addEventListener('dragover', (event) => {
      if (dragged !== undefined) event.preventDefault();
    });
    item.addEventListener('drop', (event) => {
      if (dragged === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      drop(dragged, page);
      dragged = undefined;
    });
  }
}

/** Returns the button that rotates a page. */
function rotateButton(
  canvas: HTMLCanvasElement,
  page: number,
  { rotations }: Pages,
  tell: (text: string) => void,
): HTMLButtonElement {
  const ariaLabel = `Rotate page ${page} right`;
  const button = make('button', { type: 'button', textContent: '↻', ariaLabel });
  button.className = 'rotate';
  canvas.style.rotate = `${rotations.get(page) ?? 0}deg`;
  button.addEventListener('click', () => {
    const angle = ((rotations.get(page) ?? 0) + 90) % 360;
    if (angle === 0) rotations.delete(page);
    else rotations.set(page, angle);
    canvas.style.rotate = `${angle}deg`;
    tell(`Page ${page} is rotated by ${angle} degrees.`);
  });
  return button;
}

/** Returns the button that excludes a page or includes it again. */
function toggle(
  canvas: HTMLCanvasElement,
  page: number,
  { total, excluded }: Pages,
  showCount: () => void,
): HTMLButtonElement {
  const button = make('button', { type: 'button', ariaLabel: `Page ${page}` }, canvas);
  const mark = () => {
    button.ariaPressed = String(!excluded.has(page));
  };
  button.addEventListener('click', () => {
    // At least one page must remain. To exclude all pages, the visitor removes the file from the list.
    if (!excluded.delete(page) && excluded.size < total - 1) excluded.add(page);
    mark();
    showCount();
  });
  mark();
  return button;
}

/**
 * Returns the file with only its remaining pages, rotated and in their new order.
 * @param rotator the path of the script that rotates pages
 */
export async function asArranged(
  given: File,
  rotator: string | undefined,
  signal: AbortSignal,
): Promise<File> {
  const pages = pagesOf.get(given);
  if (!pages) return given;
  const file = await asRotated(given, pages, rotator);
  if (pages.excluded.size === 0 && !isMoved(pages)) return file;
  const body = callForm('split_pdf', [file], { ranges: [rangesOf(remaining(pages))] });
  const response = await fetch(EXTRACT, { method: 'POST', body, signal });
  if (!response.ok) throw await errorIn(response);
  return new File([await response.blob()], given.name, { type: given.type });
}

async function asRotated(
  file: File,
  { rotations, total }: Pages,
  rotator: string | undefined,
): Promise<File> {
  if (rotations.size === 0 || !rotator) return file;
  try {
    return await rotatedFile(rotator, file, rotations, total);
  } catch (error) {
    throw new Error(`${file.name} cannot be rotated. ${errorText(error)}`);
  }
}
