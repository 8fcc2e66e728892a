/** Shows the pages of the chosen PDF as buttons. The buttons and the field for page numbers always match. */
import { byId, make } from './elements.ts';
import { setError } from './field-errors.ts';
import { pageDivision } from './page-division.ts';
import { type PageField, pagesByLine, pagesProblem, toggle } from './page-lines.ts';
import { isLocked, lazyPages } from './pdf-pages.ts';

const UNSHOWN = 'The pages of this PDF cannot be shown here. Enter their numbers.';

interface PagePicker {
  /** Returns a message about the error in the entered page numbers, or undefined. */
  problem(): string | undefined;
  /** Returns the pages that are selected by any line. */
  selected(): Set<number>;
  /**
   * Shows the pages of `file`, or hides them if there is no file. Returns the number of pages, or 0 if they cannot be
   * shown.
   */
  show(file: File | undefined): Promise<number>;
}

/**
 * Adds the pages below `field`, in which each line defines a separate document.
 * @param extrasOf returns the elements to add to a page, given its number and its button
 */
export function pagePicker(
  field: PageField,
  extrasOf: (page: number, button: HTMLButtonElement) => Node[] = () => [],
): PagePicker {
  const grid = make('ol', { className: 'pages', hidden: true, tabIndex: 0 });
  grid.ariaLabel = 'Pages of the PDF';
  const division = pageDivision(field);
  byId(`${field.id}-error`).after(division.element, grid);
  let buttons: HTMLButtonElement[] = [];
  let shown: File | undefined;
  let showing: Promise<number> = Promise.resolve(0);
  let lastClicked = 0;

  field.addEventListener('input', () => queueMicrotask(mark));

  const problem = () => (buttons.length > 0 ? pagesProblem(field, buttons.length) : undefined);
  const lines = () => pagesByLine(field, buttons.length);
  const selected = () => new Set(lines().flatMap((pages) => [...pages]));

  /** Shows which pages are selected, and the error in the page numbers. */
  function mark(): void {
    const all = lines();
    const parts = partsByPage(all);
    for (const [index, button] of buttons.entries())
      markButton(button, index + 1, parts.get(index + 1), all.length > 1);
    setError(field, problem() ?? '');
  }

  function click(page: number, isRange: boolean): void {
    const other = isRange && lastClicked > 0 ? lastClicked : page;
    lastClicked = page;
    toggle(field, buttons.length, page, span(Math.min(other, page), Math.max(other, page)));
  }

  function pageButton(canvas: HTMLCanvasElement, index: number): HTMLButtonElement {
    const page = index + 1;
    const label = make('span', { textContent: String(page) });
    const button = make('button', { type: 'button', ariaLabel: `Page ${page}` }, canvas, label);
    button.addEventListener('click', ({ shiftKey }) => click(page, shiftKey));
    return button;
  }

  function show(file: File | undefined): Promise<number> {
    if (file !== shown) {
      shown = file;
      showing = replacePages(file);
    }
    return showing;
  }

  async function replacePages(file: File | undefined): Promise<number> {
    buttons = [];
    lastClicked = 0;
    grid.hidden = true;
    division.show(0);
    let canvases: HTMLCanvasElement[];
    try {
      canvases = file ? await lazyPages(file) : [];
    } catch {
      // The list of files refuses a PDF that needs a password, with its own message.
      const isRefused = file !== undefined && (await isLocked(file));
      if (file === shown && !isRefused) setError(field, UNSHOWN);
      return 0;
    }
    if (file !== shown || canvases.length === 0) return 0;
    buttons = canvases.map(pageButton);
    grid.replaceChildren(
      ...buttons.map((button, index) => make('li', {}, button, ...extrasOf(index + 1, button))),
    );
    grid.hidden = false;
    division.show(buttons.length);
    mark();
    return buttons.length;
  }

  return { problem, selected, show };
}

/** Returns the number of the first line that selects each page. */
function partsByPage(lines: readonly Set<number>[]): Map<number, number> {
  const parts = new Map<number, number>();
  for (const [index, pages] of lines.entries())
    for (const page of pages) if (!parts.has(page)) parts.set(page, index + 1);
  return parts;
}

/**
 * Shows whether a page is selected.
 * @param part the number of the first line that selects the page, if any
 * @param hasParts whether the page's label names its line
 */
function markButton(
  button: HTMLButtonElement,
  page: number,
  part: number | undefined,
  hasParts: boolean,
): void {
  button.ariaPressed = String(part !== undefined);
  if (part !== undefined && hasParts) {
    button.dataset.part = String(part);
    button.ariaLabel = `Page ${page}, in PDF ${part}`;
  } else if (button.dataset.part) {
    delete button.dataset.part;
    button.ariaLabel = `Page ${page}`;
  }
}

const span = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);
