/** Shows the pages of the chosen PDF as buttons. The buttons and the field for page numbers always match. */
import { MAX_RANGES } from '../../../tools/split_pdf/page-ranges.ts';
import { byId, make } from './elements.ts';
import { setError } from './field-errors.ts';
import { pagesIn, rangesOf } from './page-ranges.ts';
import { isLocked, lazyPages } from './pdf-pages.ts';

const UNSHOWN = 'The pages of this PDF cannot be shown here. Type their numbers.';

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
 * @param partsOf returns the elements to add to a page, given its number and its button
 */
export function pagePicker(
  field: HTMLInputElement | HTMLTextAreaElement,
  partsOf: (page: number, button: HTMLButtonElement) => Node[] = () => [],
): PagePicker {
  const grid = make('ol', { className: 'pages', hidden: true, tabIndex: 0 });
  grid.ariaLabel = 'Pages of the PDF';
  const division = make('div', { className: 'cluster small', hidden: true });
  const size = make('input', { type: 'number', min: '1', value: '1' });
  size.ariaLabel = 'Pages in each PDF';
  const divide = make('button', { type: 'button', className: 'small', textContent: 'Divide' });
  const next = make('button', {
    type: 'button',
    className: 'small',
    textContent: 'Start another PDF',
  });
  const parts = make('span', { className: 'size' }, 'into PDFs of', size, 'pages');
  division.append(next, divide, parts);
  byId(`${field.id}-error`).after(division, grid);
  let buttons: HTMLButtonElement[] = [];
  let shown: File | undefined;
  let showing: Promise<number> = Promise.resolve(0);
  let lastClicked = 0;

  const lines = () => field.value.split('\n');
  /** Returns the index of the line with the cursor. */
  const current = () =>
    field.value.slice(0, field.selectionStart ?? field.value.length).split('\n').length - 1;

  function problem(): string | undefined {
    if (buttons.length === 0) return undefined;
    try {
      for (const line of lines()) if (line.trim()) pagesIn(line, buttons.length);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }

  /** Returns the pages of a line. The set is empty while the line is incomplete. */
  function pagesOf(line: string): Set<number> {
    try {
      return pagesIn(line, buttons.length);
    } catch {
      return new Set();
    }
  }

  const selected = () => new Set(lines().flatMap((line) => [...pagesOf(line)]));

  function mark(): void {
    const filled = lines().filter((line) => line.trim() !== '');
    /** The number of the first line that selects each page. */
    const parts = new Map<number, number>();
    for (const [index, line] of filled.entries())
      for (const page of pagesOf(line)) if (!parts.has(page)) parts.set(page, index + 1);
    for (const [index, button] of buttons.entries()) {
      const part = parts.get(index + 1);
      button.ariaPressed = String(part !== undefined);
      const isNamed = part !== undefined && filled.length > 1;
      if (isNamed) {
        button.dataset.part = String(part);
        button.ariaLabel = `Page ${index + 1}, in PDF ${part}`;
      } else if (button.dataset.part) {
        delete button.dataset.part;
        button.ariaLabel = `Page ${index + 1}`;
      }
    }
    setError(field, problem() ?? '');
  }

  function toggle(page: number, isRange: boolean): void {
    const all = lines();
    const at = current();
    const pages = pagesOf(all[at]!);
    const begin = isRange && lastClicked > 0 ? lastClicked : page;
    const clicked = span(Math.min(begin, page), Math.max(begin, page));
    lastClicked = page;
    all[at] = rangesOf(pages.has(page) ? without(pages, clicked) : withPages(pages, clicked));
    const length = all.slice(0, at + 1).join('\n').length;
    setLines(all, length);
  }

  /** @param cursor the position after which the cursor is placed. The next clicked page is added to its line. */
  function setLines(all: readonly string[], cursor = Number.POSITIVE_INFINITY): void {
    field.value = all.join('\n');
    const at = Math.min(cursor, field.value.length);
    field.setSelectionRange(at, at);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }

  divide.addEventListener('click', () => {
    const step = Math.max(1, Math.trunc(size.valueAsNumber) || 1, fewest());
    size.value = String(step);
    const starts = buttons.map((_, index) => index + 1).filter((page) => (page - 1) % step === 0);
    setLines(starts.map((page) => rangesOf(span(page, Math.min(page + step - 1, buttons.length)))));
  });
  next.addEventListener('click', () => setLines([...lines().filter((line) => line.trim()), '']));

  /** Returns the smallest number of pages in each PDF that does not exceed the limit of ranges. */
  const fewest = () => Math.ceil(buttons.length / MAX_RANGES);

  field.addEventListener('input', () => queueMicrotask(mark));

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
    division.hidden = true;
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
    buttons = canvases.map((canvas, index) => {
      const number = index + 1;
      const label = make('span', { textContent: String(number) });
      const button = make('button', { type: 'button', ariaLabel: `Page ${number}` }, canvas, label);
      button.addEventListener('click', ({ shiftKey }) => toggle(number, shiftKey));
      return button;
    });
    grid.replaceChildren(
      ...buttons.map((button, index) => make('li', {}, button, ...partsOf(index + 1, button))),
    );
    grid.hidden = false;
    // Only a text area can have several lines. The form that creates one document has a single-line field.
    const hasLines = field instanceof HTMLTextAreaElement;
    division.hidden = !hasLines || buttons.length === 1;
    size.max = String(buttons.length);
    mark();
    return buttons.length;
  }

  return { problem, selected, show };
}

const span = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

const without = (pages: Iterable<number>, others: readonly number[]): number[] =>
  [...pages].filter((page) => !others.includes(page));

/**
 * Adds pages in ascending order if the pages are ascending. Otherwise their order is preserved and these are the last.
 */
function withPages(pages: Iterable<number>, added: readonly number[]): number[] {
  const before = [...pages];
  const all = [...before, ...without(added, before)];
  const isAscending = before.every((page, index) => index === 0 || before[index - 1]! < page);
  return isAscending ? all.sort((one, other) => one - other) : all;
}
