/** Marks the current heading in the list of pages on /docs, and searches the list for endpoints, tools and fields. */
import { moveFocus } from './parts/arrow-keys.ts';
import { find } from './parts/elements.ts';

const list = find(document, '.contents');

if (location.pathname === '/docs/api') {
  openEntry();
  addEventListener('hashchange', openEntry);
}
scrollList(list.querySelector('[aria-current="page"]'));
follow();
const search = list.querySelector<HTMLInputElement>('#find-entry');
if (search) searchList(search);

/** Redirects links to the former single page of the API reference, such as /docs/api#merge_pdf, to the entry's page. */
function openEntry(): void {
  const [, entry = ''] = /^#(\w+)$/.exec(location.hash) ?? [];
  if (document.getElementById(entry)?.matches('.entries > li'))
    location.replace(`/docs/api/${entry}`);
}

/** Scrolls the list to the item without scrolling the page. */
function scrollList(item: Element | null): void {
  if (!item || getComputedStyle(list).position !== 'sticky') return;
  const scrolled = item.closest('.reference-links') ?? list;
  const { top, bottom: end } = scrolled.getBoundingClientRect();
  const bottom = Math.min(end, innerHeight);
  const box = item.getBoundingClientRect();
  if (box.top < top || box.bottom > bottom) scrolled.scrollTop += box.top - (top + bottom) / 2;
}

/** Marks the link to the heading that the visitor last scrolled past. */
function follow(): void {
  const links = [...list.querySelectorAll<HTMLAnchorElement>('.headings a')];
  const headings = links.map(({ hash }) => document.getElementById(hash.slice(1)));
  if (links.length === 0) return;
  let marked: HTMLAnchorElement | undefined;
  const mark = () => {
    const past = headings.filter((heading) => heading && heading.getBoundingClientRect().top < 120);
    const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
    const current = links[isAtEnd && scrollY > 0 ? links.length - 1 : past.length - 1];
    if (current === marked) return;
    marked?.removeAttribute('aria-current');
    current?.setAttribute('aria-current', 'location');
    marked = current;
    scrollList(current ?? null);
  };
  addEventListener('scroll', mark, { passive: true });
  mark();
}

function searchList(input: HTMLInputElement): void {
  const items = [...list.querySelectorAll<HTMLElement>('[data-words]')];
  // Hyphens are ignored, so that a search for a field's name also finds the corresponding header.
  const plain = (text: string) => text.toLowerCase().replaceAll('-', '');
  const texts = items.map((item) => plain(`${item.textContent} ${item.dataset.words}`));
  const status = find(list, '[data-found]');
  const elsewhere = find(list, '[data-elsewhere]');
  input.addEventListener('input', () => {
    const words = plain(input.value).split(/\s+/).filter(Boolean);
    let count = 0;
    for (const [index, item] of items.entries()) {
      item.hidden = !words.every((word) => texts[index]!.includes(word));
      if (!item.hidden) count += 1;
    }
    for (const group of list.querySelectorAll<HTMLElement>('.reference-links > div:has(> .group)'))
      group.hidden = !group.querySelector('[data-words]:not([hidden])');
    status.textContent = count === 1 ? '1 entry' : `${count} entries`;
    elsewhere.hidden = count > 0;
    find<HTMLAnchorElement>(elsewhere, 'a').href = `/search?q=${encodeURIComponent(input.value)}`;
  });
  const RESULTS = '[data-words]:not([hidden]) > a, [data-elsewhere]:not([hidden]) > a';
  const results = () => [...list.querySelectorAll<HTMLElement>(RESULTS)];
  input.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter' && input.value.trim() !== '') results()[0]?.click();
  });
  find(list, '.reference-links').addEventListener('keydown', (event) =>
    moveFocus(event, input, results()),
  );
}
