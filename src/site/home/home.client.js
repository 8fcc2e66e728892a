/** The catalogue's search, which filters as one types. */
const search = document.getElementById('search');
const found = document.getElementById('found');
const kinds = [...document.querySelectorAll('.kind')];
const ignored = new Set(search.form.dataset.ignored.split(' '));
const cards = kinds.map((kind) => [...kind.querySelectorAll('li')]);

function filter() {
  const words = search.value
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word && !ignored.has(word))
    // One thing or several.
    .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word));
  let count = 0;
  kinds.forEach((kind, index) => {
    let inKind = 0;
    for (const card of cards[index]) {
      card.hidden = !words.every((word) => ` ${card.dataset.words}`.includes(` ${word}`));
      if (!card.hidden) inKind++;
    }
    kind.hidden = inKind === 0;
    count += inKind;
  });
  document.getElementById('none').hidden = count > 0;
  found.textContent = words.length > 0 ? `${count} ${count === 1 ? 'tool' : 'tools'} found` : '';
}

search.addEventListener('input', filter);
// Enter goes to the first that is left.
search.form.addEventListener('submit', (event) => {
  event.preventDefault();
  const first = document.querySelector('.kind:not([hidden]) li:not([hidden]) a');
  if (search.value.trim() !== '') first?.click();
});
filter();
