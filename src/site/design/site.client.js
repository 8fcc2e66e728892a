/** What every page does: the colours’ switch without reloading, copying, saving, and / for the search. */
document.documentElement.classList.add('js');
reveal(document);

const themeForm = document.querySelector('form.theme');
themeForm?.addEventListener('submit', (event) => {
  event.preventDefault();
  const theme = themeForm.querySelector('button').value;
  const age = theme === 'system' ? 0 : 31536000;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `theme=${theme}; path=/; max-age=${age}; samesite=lax`;
  showTheme(theme);
});

// Coming back, the page may be one that was kept from before the switch.
addEventListener('pageshow', () => {
  const theme = /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(document.cookie)?.[1] ?? 'system';
  if (theme !== (document.documentElement.dataset.theme ?? 'system')) showTheme(theme);
});

function showTheme(theme) {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  const { next, label } = JSON.parse(themeForm.dataset.themes)[theme];
  const button = themeForm.querySelector('button');
  button.value = next;
  button.title = label;
  button.setAttribute('aria-label', label);
}

document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-copy], [data-save]');
  if (!button) return;
  if (button.dataset.save) save(button);
  else copy(button);
});

document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (
    event.target.closest(
      'input:not([type="checkbox"], [type="radio"], [type="range"]), textarea, select, [contenteditable], dialog',
    )
  )
    return;
  event.preventDefault();
  search();
});
document.querySelector('.search-link')?.addEventListener('click', (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  search();
});

/** The dialog is fetched when it is wanted; without it there is the page. */
async function search() {
  let typed = '';
  const keep = (event) => {
    if (event.key.length > 1 || event.ctrlKey || event.metaKey || event.altKey) return;
    typed += event.key;
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener('keydown', keep, { capture: true });
  try {
    const { openSearch } = await import('./search.js');
    openSearch(typed);
  } catch {
    location.href = '/search';
  } finally {
    removeEventListener('keydown', keep, { capture: true });
  }
}

/** Of what needs scripts, what styles alone do not show: it is hidden until they are there. */
export function reveal(root) {
  for (const element of root.querySelectorAll('[data-js], [data-save]')) element.hidden = false;
}

/** A text with a button that copies it, as CodeBlock makes it on the server. */
export function codeBlock(text, what) {
  const block = document.createElement('div');
  block.className = 'codeblock';
  const pre = document.createElement('pre');
  pre.className = 'wrap';
  // What is long scrolls, by keyboard too.
  pre.tabIndex = 0;
  pre.setAttribute('role', 'group');
  pre.setAttribute('aria-label', what);
  const code = document.createElement('code');
  code.textContent = text;
  pre.append(code);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'small';
  button.dataset.copy = '';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', `Copy: ${what}`);
  block.append(pre, button);
  return block;
}

/** What a button is about: the element it names, or the code beside it. */
function subject(button) {
  if (button.dataset.copy) return document.getElementById(button.dataset.copy);
  const place = button.closest('.codeblock') ?? button.closest('.output, details, section');
  return place.querySelector('code');
}

async function copy(button) {
  const element = subject(button);
  button.dataset.text ??= button.textContent;
  const before = button.dataset.text;
  try {
    await navigator.clipboard.writeText(element.value ?? element.textContent);
    button.textContent = 'Copied';
  } catch {
    // Not in this context: it is selected, to be copied by hand.
    getSelection().selectAllChildren(element);
    button.textContent = 'Selected: press Ctrl+C';
  }
  setTimeout(() => {
    button.textContent = before;
  }, 2000);
}

function save(button) {
  const { textContent } = subject(button);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([textContent], { type: 'text/plain' }));
  link.download = button.dataset.save;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
