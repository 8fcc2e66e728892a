/** Runs on every page. Switches the theme, copies and saves text, and opens the search dialog. */
import { type SystemTheme, type Theme, themeAfter } from '../design/theme-order.ts';
import { byId, find, make } from './parts/elements.ts';
import { reveal } from './parts/reveal.ts';
import { openSearch } from './parts/search-dialog.ts';

document.documentElement.classList.add('js');
reveal(document);

const themeForm = find<HTMLFormElement>(document, 'form.theme');

themeForm.addEventListener('submit', (event) => {
  event.preventDefault();
  const theme = (event.submitter as HTMLButtonElement).value as Theme;
  const age = theme === 'system' ? 0 : 31_536_000;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `theme=${theme}; path=/; max-age=${age}; samesite=lax`;
  showTheme(theme);
});

// After the Back button, the browser may show a cached page with the earlier theme.
addEventListener('pageshow', () => {
  const cookie = /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(document.cookie);
  const theme = (cookie?.[1] ?? 'system') as Theme;
  if (theme !== (document.documentElement.dataset.theme ?? 'system')) showTheme(theme);
});

function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const button of themeForm.querySelectorAll('button')) {
    const { next, label } = themeAfter(theme, button.dataset.system as SystemTheme);
    Object.assign(button, { value: next, title: label, ariaLabel: label });
  }
}

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return;
  const button = target.closest<HTMLElement>('[data-copy], [data-save]');
  if (button?.dataset.save) save(button, button.dataset.save);
  else if (button) copy(button);
});

const TYPING =
  'input:not([type="checkbox"], [type="radio"], [type="range"]), textarea, select, [contenteditable], dialog';

document.addEventListener('keydown', (event) => {
  const isControl = event.ctrlKey || event.metaKey;
  const isSlash = event.key === '/' && !isControl && !(event.target as Element).closest(TYPING);
  if (event.altKey || !(isSlash || (event.key === 'k' && isControl))) return;
  event.preventDefault();
  openSearch(typedQuery());
});
find(document, '.search-link').addEventListener('click', (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  openSearch(typedQuery());
});

/** Returns the text in the search field of the home page, or undefined on other pages. */
const typedQuery = () => document.querySelector<HTMLInputElement>('input#search')?.value.trim();

/**
 * Returns the element whose text a button copies or saves: the element that the button names, or the code beside the
 * button.
 */
function subjectOf(button: HTMLElement): HTMLElement {
  if (button.dataset.copy) return byId(button.dataset.copy);
  const block = button.closest('.codeblock, dd') ?? button.closest('.output, details, section');
  return find(block!, 'code');
}

// Dropping a file beside the drop zone, or on a page without one, would otherwise replace the page.
for (const type of ['dragover', 'drop'] as const) {
  document.addEventListener(type, (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  });
}

async function copy(button: HTMLElement): Promise<void> {
  const element = subjectOf(button);
  button.dataset.text ??= button.textContent;
  const before = button.dataset.text;
  const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
  try {
    await navigator.clipboard.writeText(isField ? element.value : element.textContent);
    button.textContent = 'Copied';
  } catch {
    // The clipboard API is not available in insecure contexts, so the text is selected instead.
    getSelection()?.selectAllChildren(element);
    button.textContent = 'Selected: press Ctrl+C or ⌘C';
  }
  setTimeout(() => {
    button.textContent = before;
  }, 2000);
}

function save(button: HTMLElement, name: string): void {
  const text = new Blob([subjectOf(button).textContent], { type: 'text/plain' });
  const link = make('a', { href: URL.createObjectURL(text), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
