/**
 * The search dialog. It searches while the visitor types, and on Enter; results come from /search, and arrow keys
 * select them.
 */
import { find, make } from './elements.ts';
import { errorText } from './error-text.ts';

let dialog: HTMLDialogElement | undefined;

export function openSearch(): void {
  dialog ??= makeDialog();
  if (!dialog.open) dialog.showModal();
  find<HTMLInputElement>(dialog, 'input').select();
}

const MARKUP = `<form class="search-form" action="/search">
<label class="hidden" for="search-q">Search tools, documents, how-tos and the blog</label>
<input id="search-q" name="q" type="search" maxlength="500" required autocomplete="off" placeholder="Search everything…">
<button type="submit" class="main">Search</button>
</form>
<p class="hidden" role="status"></p>
<div class="found stack"><p class="soft small">Titles appear as you type, Enter searches the texts. Arrow keys move through the results, Esc closes.</p></div>`;

/** How long typing must pause before a search. */
const PAUSE_MS = 120;
/** Shorter words are searched only on Enter. */
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
  const fail = (message: string) => {
    found.textContent = message;
    status.textContent = message;
  };
  let latest: AbortController | undefined;
  let searched = '';
  let pause: ReturnType<typeof setTimeout> | undefined;

  /**
   * Replaces the results. Enter searches everything; while the visitor types, only names are searched, which is not
   * counted.
   */
  const search = async (isTyped: boolean) => {
    clearTimeout(pause);
    const query = input.value.trim();
    if (isTyped && (query === searched || query.length < FEWEST_CHARACTERS)) return;
    latest?.abort();
    latest = new AbortController();
    const { signal } = latest;
    searched = query;
    status.textContent = 'Searching…';
    try {
      const address = `/search?q=${encodeURIComponent(query)}${isTyped ? '&typed' : ''}`;
      const response = await fetch(address, { signal, headers: { Accept: 'text/html' } });
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      const results = page.getElementById('found');
      if (!results) return fail(`The service answered ${response.status}.`);
      found.replaceChildren(...results.childNodes);
      const count = found.querySelectorAll('.hits a').length;
      const countText = count === 1 ? '1 result.' : `${count} results.`;
      status.textContent = response.ok ? countText : found.textContent;
    } catch (error) {
      if (!signal.aborted) fail(errorText(error));
    }
  };
  find(made, 'form').addEventListener('submit', (event) => {
    event.preventDefault();
    search(false);
  });
  input.addEventListener('input', () => {
    clearTimeout(pause);
    pause = setTimeout(search, PAUSE_MS, true);
  });
  made.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const links = [...found.querySelectorAll<HTMLElement>('.hits a')];
    if (!step || links.length === 0) return;
    event.preventDefault();
    const index = links.indexOf(document.activeElement as HTMLElement) + step;
    (index < 0 ? input : links[Math.min(index, links.length - 1)]!).focus();
  });
  made.addEventListener('click', ({ target }) => {
    // Closes the dialog on a click on the backdrop, or on a result, which may be on the current page.
    if (target === made || (target as Element).closest('.hits a')) made.close();
  });
  document.body.append(made);
  return made;
}
