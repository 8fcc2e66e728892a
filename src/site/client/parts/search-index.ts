/** Searches tools and documents by name in the browser. The index is fetched once, and the typed text is never sent. */
import type { Named } from '../../search/named.ts';
import type { SearchIndex, ToolEntry } from '../../search/ranking.ts';
import { find } from './elements.ts';

type Script = typeof import('../match-names.ts');

let index: Promise<SearchIndex> | undefined;

/** Fetches the index and the script that searches it, on the first call. */
export async function fetchIndex(): Promise<[SearchIndex, Script]> {
  index ??= fetch('/search-index.json').then((response) => {
    if (!response.ok) throw new Error(`The service returned status ${response.status}. Try again.`);
    return response.json();
  });
  // A failure is not cached, so the next search fetches the index again.
  index.catch(() => {
    index = undefined;
  });
  const script: Promise<Script> = import(find(document, '.search-link').dataset.script!);
  return Promise.all([index, script]);
}

export async function searchNames(query: string): Promise<Named> {
  const [entries, { namedBy }] = await fetchIndex();
  return namedBy(entries, query);
}

/** Returns only tools, best first. */
export async function searchTools(query: string): Promise<ToolEntry[]> {
  const [{ tools }, { toolsFor }] = await fetchIndex();
  return toolsFor(tools, query);
}
