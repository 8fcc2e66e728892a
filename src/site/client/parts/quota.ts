/** Shows the visitor's remaining quota. The home page's demo does not show it. */
import { quotaText } from '../../tool/quota-text.ts';
import { showMessage } from './elements.ts';

// The element is looked up each time, because every response replaces the content of the chain page.
const quotaElement = () => document.getElementById('left');
const runs = document.getElementById('runs');

/**
 * Reads the remaining quota from `address` without consuming any. Does not overwrite a newer quota that a run has shown
 * in the meantime.
 */
export async function readQuota(address: string): Promise<void> {
  const left = quotaElement();
  if (!left) return;
  const before = left.textContent;
  try {
    const answer = await fetch(address, { headers: { Accept: 'text/plain' } });
    if (answer.ok && left.textContent === before) showMessage(left, await answer.text());
  } catch {
    // If the request fails, the link to the quota stays on the page.
  }
}

/** Shows the quota that the headers of a response contain. */
export function showQuota(headers: Headers): void {
  const left = quotaElement();
  const text = quotaText(headers, left?.dataset.ownRates);
  if (!text || !left) return;
  left.ariaLive = 'polite';
  showMessage(left, text);
}

/** Shows how many runs a batch of `count` files costs. Pages without limits do not show this. */
export function showRuns(count: number): void {
  if (runs) showMessage(runs, count > 1 ? `${count} files count as ${count} runs.` : '');
}
