/**
 * Shows the name of a saved chain as the title of its page, as long as the chain has the tools that it was saved with.
 */
import { find } from './elements.ts';
import { savedNameOf } from './saved-chains.ts';

interface Opened {
  name: string;
  tools: string;
}

const toolsOf = (): string =>
  [...document.querySelectorAll<HTMLInputElement>('.step > input:first-child')]
    .map(({ value }) => value)
    .join();

/** Returns the saved chain that the URL of the page opens. Returns null if it opens none. */
function savedHere(): Opened | null {
  const name = savedNameOf(location.pathname + location.search);
  return name === undefined ? null : { name, tools: toolsOf() };
}

/**
 * The saved chain that the visitor opened. It is stored as the state of the history entries, because the URL changes
 * with each entered value.
 */
export const opened: Opened | null = savedHere() ?? history.state;

export function showName(): void {
  if (!opened || opened.tools !== toolsOf()) return;
  const title = find(document, 'h1');
  document.title = document.title.replace(title.textContent, () => opened.name);
  title.textContent = opened.name;
}
