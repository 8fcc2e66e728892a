/** The script of the home page: filters the tools as the visitor types, and runs the demo chain. */
import { byId } from './parts/elements.ts';
import { showHeroChain } from './parts/hero-chain.ts';

const search = byId<HTMLInputElement>('search');
const form = search.form!;
const kinds = [...document.querySelectorAll<HTMLElement>('.kind')].map((section) => ({
  section,
  cards: [...section.querySelectorAll('li')],
}));
const ignored = new Set(form.dataset.ignored!.split(' '));

function filter(): void {
  const words = search.value
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word && !ignored.has(word))
    // A plural also matches the singular.
    .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word));
  let count = 0;
  for (const { section, cards } of kinds) {
    for (const card of cards)
      card.hidden = !words.every((word) => ` ${card.dataset.words}`.includes(` ${word}`));
    const shown = cards.filter((card) => !card.hidden).length;
    section.hidden = shown === 0;
    count += shown;
  }
  byId('none').hidden = count > 0;
  const found = `${count} ${count === 1 ? 'tool' : 'tools'} found`;
  byId('found').textContent = words.length > 0 ? found : '';
}

search.addEventListener('input', filter);
// Enter opens the first tool that is shown.
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const first = document.querySelector<HTMLElement>('.kind:not([hidden]) li:not([hidden]) a');
  if (search.value.trim() !== '') first?.click();
});
filter();
showHeroChain();
