/** The search in a dialog: asked with Enter, walked through with the arrow keys. Its results are those of /search. */
let dialog;

/** `typed` is what was typed while this was fetched. */
export function openSearch(typed) {
  dialog ??= make();
  if (!dialog.open) dialog.showModal();
  const input = dialog.querySelector('input');
  if (typed) input.value = typed;
  else input.select();
}

function make() {
  const made = document.createElement('dialog');
  made.className = 'search-dialog';
  made.setAttribute('aria-label', 'Search');
  made.innerHTML = `<form class="search-form" action="/search"><label class="hidden" for="search-q">Search tools, documents, how-tos and the blog</label><input id="search-q" name="q" type="search" maxlength="500" required autocomplete="off" placeholder="Search everything…"><button type="submit" class="main">Search</button></form><p class="hidden" role="status"></p><div class="found stack"><p class="soft small">Enter searches, the arrow keys walk through what was found, Esc closes.</p></div>`;
  const form = made.querySelector('form');
  const input = made.querySelector('input');
  const found = made.querySelector('.found');
  const status = made.querySelector('[role="status"]');
  const fail = (message) => {
    found.textContent = message;
    status.textContent = message;
  };
  let latest;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    latest?.abort();
    latest = new AbortController();
    const { signal } = latest;
    status.textContent = 'Searching…';
    try {
      const address = `/search?q=${encodeURIComponent(input.value)}`;
      const response = await fetch(address, { signal, headers: { Accept: 'text/html' } });
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      const answer = page.getElementById('found');
      if (!answer) return fail(`The service answered ${response.status}.`);
      found.replaceChildren(...answer.childNodes);
      const count = found.querySelectorAll('.hits a').length;
      const told = count === 1 ? 'One place was found.' : `${count} places were found.`;
      status.textContent = response.ok ? told : found.textContent;
    } catch (error) {
      if (!signal.aborted) fail(`The service could not be reached: ${error.message}.`);
    }
  });
  made.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const links = [...found.querySelectorAll('.hits a')];
    if (!step || links.length === 0) return;
    event.preventDefault();
    const at = links.indexOf(document.activeElement) + step;
    (at < 0 ? input : links[Math.min(at, links.length - 1)]).focus();
  });
  made.addEventListener('click', (event) => {
    // Beside the dialog, or on a place of this very page.
    if (event.target === made || event.target.closest('.hits a')) made.close();
  });
  document.body.append(made);
  return made;
}
