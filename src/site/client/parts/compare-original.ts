/** Offers to compare a text result with the pages that it was read from. */
import { byId, make } from './elements.ts';
import { errorText } from './error-text.ts';

/**
 * Shows the button in `output` if the browser may be able to show the pages of `file`.
 *
 * @param path the path of page-text.ts
 */
export function offerOriginal(output: HTMLElement, file: File, path: string): void {
  const button = output.querySelector<HTMLElement>('[data-original]');
  if (!button || !/^image\/|\/pdf$/.test(file.type)) return;
  // The form may change after the run.
  const field = byId<HTMLFormElement>('tool-form').elements.namedItem('pages');
  const ranges = field instanceof HTMLInputElement ? field.value : '';
  const text = output.querySelector('code')?.textContent ?? '';
  button.hidden = false;
  button.addEventListener('click', async () => {
    try {
      const script: typeof import('../page-text.ts') = await import(path);
      await script.showPageText(file, text, ranges);
    } catch (error) {
      button.after(make('span', { className: 'error', textContent: errorText(error) }));
    }
  });
}
