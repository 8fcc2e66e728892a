/**
 * Runs the search dialog. While the visitor types, it searches names in the page. Enter searches the texts at /search.
 * Arrow keys select a result.
 */
import type { Named } from '../../search/named.ts';
import { ABOUT_SERVICE } from '../../search/service-pages.ts';
import { find, make } from './elements.ts';
import { errorText } from './error-text.ts';
import { hits, noteOf } from './search-hits.ts';
import { fetchIndex, searchNames } from './search-index.ts';

let dialog: HTMLDialogElement | undefined;

/** Opens the dialog. If `query` is not empty, it replaces the text in the dialog, and its results are shown. */
export function openSearch(query = ''): void {
  dialog ??= makeDialog();
  if (!dialog.open) dialog.showModal();
  const input = find<HTMLInputElement>(dialog, 'input');
  if (query !== '') {
    input.value = query;
    find<HTMLFormElement>(dialog, 'form').requestSubmit();
  }
  input.select();
  // If this fails, the index is fetched again when the visitor types, and the error is shown then.
  fetchIndex().catch(() => {});
}

const MARKUP = `<form class="search-form" action="/search">
<label class="hidden" for="search-q">Search tools, documents, how-tos and the blog</label>
<input id="search-q" name="q" type="search" maxlength="500" required autocomplete="off" placeholder="Search everything…">
<button type="submit" class="main">Search</button>
</form>
<p class="hidden" role="status"></p>
<div class="found page"><p class="soft small">Titles appear as you type, Enter searches the texts. Arrow keys move through the results, Esc closes.</p></div>`;

/** Shorter queries match the beginning of too many words. */
const FEWEST_CHARACTERS = 2;

function makeDialog(): HTMLDialogElement {
  const made = make('dialog', {
    className: 'search-dialog',
    ariaLabel: 'Search',
    innerHTML: MARKUP,
  });
  const input = find<HTMLInputElement>(made, 'input');
  const found = find(made, '.found');
  const status = find(made, '[role="status"]');
  let latest = 0;

  /** Shows the results of `search`, unless a later search has started. */
  const show = async (search: () => Promise<(Node | string)[]>) => {
    latest += 1;
    const mine = latest;
    try {
      const results = await search();
      if (mine !== latest) return;
      found.replaceChildren(...results);
      const count = found.querySelectorAll('.hits a').length;
      const countText = count === 1 ? '1 result.' : `${count} results.`;
      const notice = found.querySelector('.notice.bad');
      status.textContent = notice?.textContent ?? countText;
    } catch (error) {
      if (mine !== latest) return;
      found.textContent = errorText(error);
      status.textContent = errorText(error);
    }
  };
  find(made, 'form').addEventListener('submit', (event) => {
    event.preventDefault();
    status.textContent = 'Searching…';
    show(() => searchTexts(input.value.trim()));
  });
  input.addEventListener('input', () => {
    const query = input.value.trim();
    if (query.length >= FEWEST_CHARACTERS) show(async () => sectionsOf(await searchNames(query)));
  });
  made.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      // Browsers only empty the field at first.
      event.preventDefault();
      return made.close();
    }
    // Typing while a result is focused continues the query.
    if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) input.focus();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const links = [...found.querySelectorAll<HTMLElement>('.hits a')];
    if (!step || links.length === 0) return;
    event.preventDefault();
    const index = links.indexOf(document.activeElement as HTMLElement) + step;
    (index < 0 ? input : links[Math.min(index, links.length - 1)]!).focus();
  });
  made.addEventListener('click', ({ target }) => {
    // Closes the dialog on a click on the backdrop or on a result. The result may be on the current page.
    if (target === made || (target as Element).closest('.hits a')) made.close();
  });
  document.body.append(made);
  return made;
}

/** Fetches the search page and returns the results in it. */
async function searchTexts(query: string): Promise<Node[]> {
  const response = await fetch(`/search?q=${encodeURIComponent(query)}`, {
    headers: { Accept: 'text/html' },
  });
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const results = page.getElementById('found');
  if (!results) throw new Error(`The service answered ${response.status}.`);
  return [...results.childNodes];
}

function sectionsOf({ pages, note, tools, documents }: Named): Node[] {
  const sections: Node[] = noteOf(note);
  if (pages.length > 0) sections.push(section(ABOUT_SERVICE, pages));
  if (tools.length > 0) sections.push(section(tools.length === 1 ? 'Tool' : 'Tools', tools));
  if (documents.length > 0) sections.push(section('Documents', documents));
  const isEmpty = pages.length + tools.length + documents.length === 0;
  const hint = `${isEmpty ? 'No titles match. ' : ''}Press Enter to search the full text.`;
  return [...sections, make('p', { className: 'soft small', textContent: hint })];
}

const section = (name: string, entries: Parameters<typeof hits>[0]): HTMLElement =>
  make('section', {}, make('h2', { className: 'group', textContent: name }), hits(entries));
