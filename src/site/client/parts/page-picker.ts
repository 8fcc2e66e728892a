/** Shows the pages of the chosen PDF as buttons. The buttons and the field for page numbers always match. */
import { MAX_RANGES } from '../../../tools/split_pdf/page-ranges.ts';
import { byId, make } from './elements.ts';
import { setError } from './field-errors.ts';
import { pagesIn, rangesOf } from './page-ranges.ts';
import { lazyPages } from './pdf-pages.ts';

const LOCKED = 'This PDF needs a password. Save a copy without a password first.';
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
  const single = make('button', { type: 'button', className: 'small', hidden: true });
  single.textContent = 'Every page as its own PDF';
  byId(`${field.id}-error`).after(single, grid);
  let buttons: HTMLButtonElement[] = [];
  let isLocked = false;
  let shown: File | undefined;
  let showing: Promise<number> = Promise.resolve(0);
  let lastClicked = 0;

  const lines = () => field.value.split('\n');
  /** Returns the index of the line with the cursor. */
  const current = () =>
    field.value.slice(0, field.selectionStart ?? field.value.length).split('\n').length - 1;

  function problem(): string | undefined {
    if (isLocked) return LOCKED;
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
    const pages = selected();
    for (const [index, button] of buttons.entries())
      button.ariaPressed = String(pages.has(index + 1));
    setError(field, problem() ?? '');
  }

  function toggle(page: number, isRange: boolean): void {
    const all = lines();
    const at = current();
    const pages = pagesOf(all[at]!);
    const isOn = !pages.has(page);
    const from = isRange && lastClicked > 0 ? Math.min(lastClicked, page) : page;
    const to = isRange && lastClicked > 0 ? Math.max(lastClicked, page) : page;
    for (let each = from; each <= to; each++) {
      if (isOn) pages.add(each);
      else pages.delete(each);
    }
    lastClicked = page;
    all[at] = rangesOf([...pages].sort((one, other) => one - other));
    setLines(all);
  }

  function setLines(all: readonly (string | number)[]): void {
    field.value = all.join('\n');
    field.setSelectionRange(field.value.length, field.value.length);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }

  single.addEventListener('click', () => setLines(buttons.map((_, index) => index + 1)));

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
    isLocked = false;
    grid.hidden = true;
    single.hidden = true;
    let canvases: HTMLCanvasElement[];
    try {
      canvases = file ? await lazyPages(file) : [];
    } catch (error) {
      if (file !== shown) return 0;
      isLocked = (error as Error).name === 'PasswordException';
      setError(field, isLocked ? LOCKED : UNSHOWN);
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
    single.hidden = !hasLines || buttons.length === 1 || buttons.length > MAX_RANGES;
    mark();
    return buttons.length;
  }

  return { problem, selected, show };
}
