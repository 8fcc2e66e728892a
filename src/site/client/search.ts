/** Lists matching names while the visitor types on the search page. Enter searches the full text. */
import { byId } from './parts/elements.ts';
import { runNameSearch } from './parts/search-names.ts';

const input = byId<HTMLInputElement>('q');
const names = runNameSearch(input, byId('found'), byId('found-status'));
input.addEventListener('input', () => document.getElementById('beginnings')?.remove(), {
  once: true,
});
for (const part of [input, byId('found')])
  part.addEventListener('keydown', (event) => names.moveFocus(event));
