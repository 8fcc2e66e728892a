/** Shows the visitor's remaining quota. The home page's demo does not show it. */
import { leftText } from '../../tool/left-text.ts';
import { showMessage } from './elements.ts';

const left = document.getElementById('left');

/**
 * Reads the quota of the tool at `path` without consuming any. If a run has shown a newer quota meanwhile, that quota
 * stays.
 */
export async function readLeft(path: string): Promise<void> {
  if (!left?.querySelector('[data-unread]')) return;
  const before = left.textContent;
  try {
    const answer = await fetch(`${path}/left`, { headers: { Accept: 'text/plain' } });
    if (answer.ok && left.textContent === before) showMessage(left, await answer.text());
  } catch {
    // If the request fails, the link to the quota stays on the page.
  }
}

/** Shows the quota that the headers of a response contain. */
export function showLeft(headers: Headers): void {
  const text = leftText(headers);
  if (!text || !left) return;
  left.ariaLive = 'polite';
  showMessage(left, text);
}
