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
  if (box.top >= top && box.bottom <= bottom) return;
  scrolled.scrollTop += box.top - (top + bottom) / 2;
  showWhole(scrolled);
}

/** Scrolls the list so that the search field above it does not cover part of a link. */
function showWhole(scrolled: Element): void {
  const field = scrolled.querySelector(':scope > .field');
  if (!field) return;
  const edge = field.getBoundingClientRect().bottom;
  const boxes = [...scrolled.querySelectorAll('a, .group')].map((a) => a.getBoundingClientRect());
  const cut = boxes.find(({ top, bottom }) => top < edge && bottom > edge);
  if (cut) scrolled.scrollTop += cut.bottom - edge;
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
  const entries = items.map((item) => {
    const name = plain(`${find(item, 'a').textContent} ${item.dataset.call ?? ''}`);
    const group = item.closest('div')?.querySelector('.group')?.textContent ?? '';
    const grouped = `${name} ${plain(group)}`;
    return { item, name, grouped, text: `${grouped} ${plain(item.dataset.words!)}` };
  });
  const status = find(list, '[data-found]');
  const elsewhere = find(list, '[data-elsewhere]');
  const found = find(list, '[data-results]');
  const groups = list.querySelectorAll<HTMLElement>('.reference-links > div:has(> .group)');
  input.addEventListener('input', () => {
    const words = plain(input.value).split(/\s+/).filter(Boolean);
    const matches = words.length === 0 ? [] : matching(entries, words);
    for (const group of groups) group.hidden = words.length > 0;
    found.hidden = words.length === 0;
    find(found, 'ul').replaceChildren(...matches.map(({ item }) => item.cloneNode(true)));
    const count = words.length === 0 ? items.length : matches.length;
    status.textContent = count === 1 ? '1 entry' : `${count} entries`;
    elsewhere.hidden = count > 0;
    find<HTMLAnchorElement>(elsewhere, 'a').href = `/search?q=${encodeURIComponent(input.value)}`;
  });
  const RESULTS = '[data-results] [data-words] > a, [data-elsewhere]:not([hidden]) > a';
  const ALL = '.group + ul > [data-words] > a';
  const results = () => [
    ...list.querySelectorAll<HTMLElement>(input.value.trim() === '' ? ALL : RESULTS),
  ];
  input.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter' && input.value.trim() !== '') results()[0]?.click();
  });
  find(list, '.reference-links').addEventListener('keydown', (event) =>
    moveFocus(event, input, results()),
  );
}

/** Removes hyphens, so that a search for a field's name also finds the corresponding header. */
function plain(text: string): string {
  return text.toLowerCase().replaceAll('-', '');
}

interface ListEntry {
  item: HTMLElement;
  /** The title, the method and the path. */
  name: string;
  /** The name, and the name of the group. */
  grouped: string;
  /** The name, the group, and the search terms of the page, such as its fields. */
  text: string;
}

/** Returns the entries with all the words: first those with the words in their names, then those in their groups. */
function matching(entries: readonly ListEntry[], words: readonly string[]): ListEntry[] {
  const areIn = (text: string) => words.every((word) => text.includes(word));
  const rankOf = ({ name, grouped }: ListEntry) => (areIn(name) ? 0 : areIn(grouped) ? 1 : 2);
  return entries.filter(({ text }) => areIn(text)).sort((a, b) => rankOf(a) - rankOf(b));
}
