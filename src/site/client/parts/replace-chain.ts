/** Replaces the content of the chain page. Options that the visitor opened or closed stay open or closed. */
import { byId } from './elements.ts';

export function replaceChain(page: Document): void {
  const folds = [...document.querySelectorAll<HTMLDetailsElement>('[data-options]')];
  document.title = page.title;
  byId('chain').replaceWith(page.getElementById('chain')!);
  for (const { open, dataset } of folds) {
    const same = document.querySelector<HTMLDetailsElement>(`[data-options="${dataset.options}"]`);
    if (same && !same.querySelector('[aria-invalid]')) same.open = open;
  }
}
