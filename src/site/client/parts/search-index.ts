/** Searches tools and documents by name in the browser. The index is fetched once, and the typed text is never sent. */
import { type Named, namedBy, toolsFor } from '../../search/named.ts';
import type { SearchIndex, ToolEntry } from '../../search/ranking.ts';

let index: Promise<SearchIndex> | undefined;

/** Returns the index, which is fetched on the first call. */
export function fetchIndex(): Promise<SearchIndex> {
  index ??= fetch('/search-index.json').then((response) => {
    if (!response.ok) throw new Error(`The service answered ${response.status}.`);
    return response.json();
  });
  // A failure is not cached, so the next search fetches the index again.
  index.catch(() => {
    index = undefined;
  });
  return index;
}

export const searchNames = async (query: string): Promise<Named> =>
  namedBy(await fetchIndex(), query);

/** Returns only tools, best first. */
export const searchTools = async (query: string): Promise<ToolEntry[]> =>
  toolsFor((await fetchIndex()).tools, query);
