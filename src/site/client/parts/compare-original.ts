/** Offers to compare a result with the original. The script of the comparison is loaded on demand. */
import { byId, make } from './elements.ts';
import { errorText } from './error-text.ts';

type Script = typeof import('../beside-original.ts');

/** The path of the script. Undefined if the results of the tool cannot be compared with the original. */
const path = document.querySelector<HTMLElement>('[data-beside]')?.dataset.beside;

/** Shows the button for a text result in `output` if the browser may be able to show the pages of `original`. */
export function offerText(output: HTMLElement, original: File): void {
  const button = output.querySelector<HTMLElement>('[data-original]');
  if (!button || !/^image\/|\/pdf$/.test(original.type)) return;
  // The form may change after the run.
  const field = byId<HTMLFormElement>('tool-form').elements.namedItem('pages');
  const ranges = field instanceof HTMLInputElement ? field.value : '';
  const text = output.querySelector('code')?.textContent ?? '';
  button.hidden = false;
  open(button, (script) => script.showText(original, text, ranges));
}

/** Returns a button that compares two PDFs page by page, or undefined if the files cannot be compared. */
export function pagesButton(original: File, result: File): HTMLElement | undefined {
  if ([original, result].some(({ type }) => type !== 'application/pdf') || !path) return undefined;
  const button = make('button', { type: 'button', textContent: 'Compare with the original' });
  open(button, (script) => script.showPages(original, result));
  return button;
}

function open(button: HTMLElement, show: (script: Script) => Promise<void>): void {
  button.addEventListener('click', async () => {
    try {
      await show(await import(path!));
    } catch (error) {
      button.after(make('span', { className: 'error', textContent: errorText(error) }));
    }
  });
}
