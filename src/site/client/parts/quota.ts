/** The line with the visitor's remaining quota; the home page's demo has none. */
import { leftText } from '../../tool/left-text.ts';

const left = document.getElementById('left');

/** Reads the quota of the tool at `path`, which does not consume any. A run that finishes first shows a newer one. */
export async function readLeft(path: string): Promise<void> {
  if (!left?.querySelector('a')) return;
  const before = left.textContent;
  try {
    const answer = await fetch(`${path}/left`, { headers: { Accept: 'text/plain' } });
    if (answer.ok && left.textContent === before) left.textContent = await answer.text();
  } catch {
    // The link to the quota stays.
  }
}

/** Shows what the headers of a response say. */
export function showLeft(headers: Headers): void {
  const text = leftText(headers);
  if (!text || !left) return;
  left.ariaLive = 'polite';
  left.textContent = text;
}
