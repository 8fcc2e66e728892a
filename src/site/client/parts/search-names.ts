/** Shows matching names while the visitor types, in the search dialog and on the search page. */
import type { Named } from '../../search/named.ts';
import { ABOUT_SERVICE } from '../../search/service-pages.ts';
import { moveFocus } from './arrow-keys.ts';
import { linked, make } from './elements.ts';
import { errorText } from './error-text.ts';
import { hits, noteOf } from './search-hits.ts';
import { searchNames } from './search-index.ts';

/** Shorter queries match the beginning of too many words. */
const FEWEST_CHARACTERS = 2;

/** Returns the URL of the search page, which searches the full text for `query`. */
export const textSearch = (query: string): string => `/search?q=${encodeURIComponent(query)}`;

/**
 * Searches names on each input and shows them in `found`. `status` announces the number of results to screen readers.
 * The returned `shown` waits for the results of the latest input, and `moveFocus` moves the focus when an arrow key is
 * pressed. The result that Enter opens has the class `opens`.
 */
export function runNameSearch(input: HTMLInputElement, found: HTMLElement, status: HTMLElement) {
  let latest = Promise.resolve();
  const initial = [...found.childNodes];

  async function show(query: string): Promise<void> {
    const results = await resultsOf(query);
    // The result is outdated if the visitor has changed the query since this search started.
    if (input.value.trim() !== query) return;
    replaceResults(results);
    const count = found.querySelectorAll('.hits a').length;
    const notice = found.querySelector('.notice.bad');
    status.textContent = notice?.textContent ?? (count === 1 ? '1 result.' : `${count} results.`);
  }
  /** Shows these results. If a result had the focus, the same result gets it again, or else the input. */
  function replaceResults(results: readonly Node[]): void {
    const focused = document.activeElement;
    const isInside = found.contains(focused);
    found.replaceChildren(...results);
    if (!isInside) return;
    const links = [...found.querySelectorAll('a')];
    const same = links.find((link) => link.getAttribute('href') === focused?.getAttribute('href'));
    (same ?? input).focus();
  }

  input.addEventListener('input', () => {
    const query = input.value.trim();
    if (query.length >= FEWEST_CHARACTERS) latest = show(query);
    else found.replaceChildren(...initial);
  });
  return {
    shown: () => latest,
    moveFocus(event: KeyboardEvent, marked?: HTMLElement | null): void {
      const results = found.querySelectorAll<HTMLElement>('.hits a, .every-text');
      moveFocus(event, input, [...results], marked);
    },
  };
}

async function resultsOf(query: string): Promise<Node[]> {
  try {
    return sectionsOf(await searchNames(query), query);
  } catch (error) {
    return [make('p', { className: 'notice bad' }, ...linked(errorText(error)))];
  }
}

function sectionsOf(named: Named, query: string): Node[] {
  const { pages, note, tools, endpoints, documents } = named;
  const sections = [
    section(ABOUT_SERVICE, pages),
    section(tools.length === 1 ? 'Tool' : 'Tools', tools),
    section('API reference', endpoints),
    section('Documents', documents),
  ].flat();
  const everyText = make('a', {
    className: 'every-text',
    href: textSearch(query),
    textContent: `Search all texts for “${query}”`,
  });
  const isEmpty = sections.length === 0 && !note;
  const last = make('p', { className: 'small' }, isEmpty ? 'No title matches. ' : '', everyText);
  if (!note && !named.isGuess) sections[0]?.querySelector('a')?.classList.add('opens');
  return [...noteOf(note), ...sections, last];
}

const section = (name: string, entries: Parameters<typeof hits>[0]): HTMLElement[] =>
  entries.length === 0
    ? []
    : [make('section', {}, make('h2', { className: 'group', textContent: name }), hits(entries))];
