/**
 * Runs the search dialog. While the visitor types, it searches names in the browser. Enter opens the first result. If
 * that is only a guess, Enter opens /search, which searches the full text.
 */
import { find, make } from './elements.ts';
import { fetchIndex } from './search-index.ts';
import { runNameSearch, textSearch } from './search-names.ts';

let dialog: HTMLDialogElement | undefined;

/** Opens the dialog. If `query` is not empty, the dialog searches for it. */
export function openSearch(query = ''): void {
  dialog ??= makeDialog();
  if (!dialog.open) dialog.showModal();
  const input = find<HTMLInputElement>(dialog, 'input');
  if (query !== '') {
    input.value = query;
    input.dispatchEvent(new Event('input'));
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
<div class="found page"><p class="soft small">Results appear as you type.<span class="keys"> Enter opens the marked result, the arrow keys move through the results, and Esc closes the dialog.</span></p></div>`;

function makeDialog(): HTMLDialogElement {
  const made = make('dialog', {
    className: 'search-dialog',
    ariaLabel: 'Search',
    innerHTML: MARKUP,
  });
  const input = find<HTMLInputElement>(made, 'input');
  const found = find(made, '.found');
  const names = runNameSearch(input, found, find(made, '[role="status"]'));
  find(made, 'form').addEventListener('submit', async (event) => {
    event.preventDefault();
    await names.shown();
    const best = found.querySelector<HTMLElement>('.opens');
    if (best) best.click();
    else location.assign(textSearch(input.value.trim()));
  });
  made.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      // By default, the first Escape would only clear the field.
      event.preventDefault();
      return made.close();
    }
    // Typing while a result is focused continues in the search field.
    if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) input.focus();
    names.moveFocus(event, found.querySelector<HTMLElement>('.opens'));
  });
  made.addEventListener('click', ({ target }) => {
    // Closes the dialog on a click on the backdrop or on a result. The result may be on the current page.
    if (target === made || (target as Element).closest('.hits a')) made.close();
  });
  document.body.append(made);
  return made;
}
