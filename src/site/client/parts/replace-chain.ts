/** Replaces the content of the chain page. Collapsible options that the visitor opened or closed keep their state. */
import { byId } from './elements.ts';

export function replaceChain(page: Document): void {
  const folds = [...document.querySelectorAll<HTMLDetailsElement>('[data-options]')];
  document.title = page.title;
  byId('chain').replaceWith(page.getElementById('chain')!);
  for (const { open, dataset } of folds) {
    const same = document.querySelector<HTMLDetailsElement>(`[data-options="${dataset.options}"]`);
    // A successful run closes options that the visitor did not open.
    const isClosed = open === (dataset.isOpen !== undefined) && same?.open === false;
    if (same && !isClosed && !same.querySelector('[aria-invalid]')) same.open = open;
  }
}
