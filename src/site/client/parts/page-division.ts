/** Creates the controls that divide a PDF into several. Each line of page numbers defines one of the new PDFs. */
import { MAX_RANGES } from '../../../tools/split_pdf/page-ranges.ts';
import { make } from './elements.ts';
import { filledLines, type PageField, setLines } from './page-lines.ts';

interface PageDivision {
  element: HTMLElement;
  /** Shows the controls for a document with `total` pages. Hides them for a single page or a single-line field. */
  show(total: number): void;
}

export function pageDivision(field: PageField): PageDivision {
  const size = make('input', { type: 'number', min: '1', value: '1' });
  size.ariaLabel = 'Pages in each PDF';
  const divide = make('button', { type: 'button', className: 'small', textContent: 'Divide' });
  const next = make('button', {
    type: 'button',
    className: 'small',
    textContent: 'Start another PDF',
  });
  const parts = make('span', { className: 'size' }, 'into PDFs of', size, 'pages');
  const element = make('div', { className: 'cluster small', hidden: true }, next, divide, parts);
  let pages = 0;

  divide.addEventListener('click', () => {
    const fewest = Math.ceil(pages / MAX_RANGES);
    const step = Math.max(1, Math.trunc(size.valueAsNumber) || 1, fewest);
    size.value = String(step);
    setLines(field, divided(pages, step));
  });
  next.addEventListener('click', () => setLines(field, [...filledLines(field), '']));

  function show(total: number): void {
    pages = total;
    size.max = String(total);
    // Only a text area can have several lines. The form that creates one document has a single-line field.
    element.hidden = total < 2 || !(field instanceof HTMLTextAreaElement);
    // A hidden number above the maximum would prevent the form from being submitted.
    size.disabled = element.hidden;
  }

  return { element, show };
}

/** Returns a line for every `step` pages. */
function divided(total: number, step: number): string[] {
  const lines: string[] = [];
  for (let first = 1; first <= total; first += step) {
    const last = Math.min(first + step - 1, total);
    lines.push(first === last ? `${first}` : `${first}-${last}`);
  }
  return lines;
}
