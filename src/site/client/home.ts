/** Finds tools while the visitor types on the home page, and runs the demo chain. */
import { moveFocus } from './parts/arrow-keys.ts';
import { byId, linked, make } from './parts/elements.ts';
import { errorText } from './parts/error-text.ts';
import { showHeroChain } from './parts/hero-chain.ts';
import { hits, noteOf } from './parts/search-hits.ts';
import { fetchIndex, searchNames } from './parts/search-index.ts';

const search = byId<HTMLInputElement>('search');
const found = byId('found');
const status = byId('found-status');

async function showFound(): Promise<void> {
  const query = search.value.trim();
  const results = query === '' ? [] : await resultsOf(query);
  // The result is outdated if the visitor has changed the query since this search started.
  if (search.value.trim() !== query) return;
  found.replaceChildren(...results);
  found.hidden = query === '';
  byId('most').hidden = query !== '';
  const count = found.querySelectorAll('li').length;
  status.textContent = query === '' ? '' : `${count} ${count === 1 ? 'result' : 'results'}`;
}

async function resultsOf(query: string): Promise<Node[]> {
  try {
    const { pages, note, tools } = await searchNames(query);
    const entries = [...pages, ...tools];
    const everything = make('a', {
      href: `/search?q=${encodeURIComponent(query)}`,
      textContent: 'Search everything',
    });
    const otherwise = entries.length > 0 ? 'Not what you need? ' : 'No tool matches. ';
    return [
      ...noteOf(note),
      ...(entries.length > 0 ? [hits(entries)] : []),
      make('p', { className: 'small soft' }, otherwise, everything),
    ];
  } catch (error) {
    return [make('p', { className: 'notice bad' }, ...linked(errorText(error)))];
  }
}

search.addEventListener('focus', () => fetchIndex().catch(() => {}), { once: true });
search.addEventListener('input', showFound);
// Enter opens the first result. Without a result, or if a note says that no tool supports the task, the form opens the
// search page.
byId('find').addEventListener('submit', (event) => {
  const first = found.querySelector<HTMLElement>('.hits a');
  if (!first || found.hidden || found.querySelector('.notice')) return;
  event.preventDefault();
  first.click();
});
for (const part of [search, found])
  part.addEventListener('keydown', (event) => {
    if (!found.hidden) moveFocus(event, search, [...found.querySelectorAll<HTMLElement>('a')]);
  });
// The browser may have restored the entered text.
if (search.value !== '') showFound();
showHeroChain();
