/** Renders the results of a search as a list of links. */
import type { Note } from '../../search/not-here.ts';
import type { Entry, ToolEntry } from '../../search/ranking.ts';
import { make } from './elements.ts';

type Hit = Omit<Entry, 'words'>;

export const hits = (entries: readonly (Hit | ToolEntry)[]): HTMLElement =>
  make('ul', { className: 'hits' }, ...entries.map(hit));

/** Returns the note about the task that the query describes, if there is one. */
export function noteOf(note: Note | undefined): HTMLElement[] {
  if (!note) return [];
  const { text, link } = note;
  const more = link ? [' ', make('a', { href: link.href, textContent: link.text })] : [];
  return [make('p', { className: 'notice small' }, text, ...more)];
}

function hit(entry: Hit | ToolEntry): HTMLElement {
  const words = make(
    'span',
    {},
    make('strong', { textContent: entry.title }),
    make('span', { className: 'small soft text', textContent: entry.text }),
  );
  if (!('icon' in entry)) return make('li', {}, make('a', { href: entry.href }, words));
  const icon = make('span', {
    className: 'tool-icon',
    innerHTML: `<svg class="line-icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">${entry.icon}</svg>`,
  });
  icon.dataset.kind = entry.kind;
  return make('li', {}, make('a', { href: entry.href, className: 'tool-hit' }, icon, words));
}
