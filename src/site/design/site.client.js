/** What every page does: the colours' switch without reloading, copying, saving, and / for the search. */
document.documentElement.classList.add('js');
for (const element of document.querySelectorAll('[data-js]')) element.hidden = false;
revealSaves(document);

const NEXT = { system: 'dark', dark: 'light', light: 'system' };
const LABELS = {
  system: ['◐', 'Colours: as the system. Switch to dark'],
  dark: ['●', 'Colours: dark. Switch to light'],
  light: ['○', 'Colours: light. Switch to the system’s'],
};

const themeForm = document.querySelector('form.theme');
themeForm?.addEventListener('submit', (event) => {
  event.preventDefault();
  const button = themeForm.querySelector('button');
  const theme = button.value;
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  const age = theme === 'system' ? 0 : 31536000;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `theme=${theme}; path=/; max-age=${age}; samesite=lax`;
  button.value = NEXT[theme];
  [button.firstElementChild.textContent, button.title] = LABELS[theme];
  button.setAttribute('aria-label', LABELS[theme][1]);
});

document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-copy], [data-save]');
  if (!button) return;
  if (button.dataset.save) save(button);
  else copy(button);
});

document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest('input, textarea, select, [contenteditable]')) return;
  const search = document.querySelector('input[type="search"]');
  if (!search) return;
  event.preventDefault();
  search.focus();
});

/** Buttons that save need this script, so they are hidden until it is there. */
export function revealSaves(root) {
  for (const button of root.querySelectorAll('[data-save]')) button.hidden = false;
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
