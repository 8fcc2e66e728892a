/** Finds the tools that can be added to a chain while the visitor types. Every response replaces the elements. */
import type { ToolEntry } from '../../search/ranking.ts';
import { moveFocus } from './arrow-keys.ts';
import { byId, make } from './elements.ts';
import { errorText } from './error-text.ts';
import { fetchIndex, searchTools } from './search-index.ts';

const isSearch = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.id === 'add';

const found = () => byId('add-found');

const foundButtons = () => [
  ...found().querySelectorAll<HTMLButtonElement>('button:not(:disabled)'),
];

async function showFound(input: HTMLInputElement): Promise<void> {
  const query = input.value.trim();
  const shown = query === '' ? [] : await resultsOf(query);
  // The result is outdated if the visitor has changed the query since this search started.
  if (input.value.trim() !== query || !input.isConnected) return;
  found().replaceChildren(...shown);
  found().hidden = query === '';
  byId('add-groups').hidden = query !== '';
  byId('add-status').textContent = query === '' ? '' : countText();
}

/** Returns text such as "Tools found: 3, 1 of which this server cannot run." */
function countText(): string {
  const count = found().querySelectorAll('button').length;
  const off = count - foundButtons().length;
  const which = off === count ? 'which' : `${off} of which`;
  return `Tools found: ${count}${off > 0 ? `, ${which} this server cannot run` : ''}.`;
}

const NOTHING = 'No tool matches.';
/** The maximum number of links to tools that cannot be steps. */
const MAX_LINKS = 3;

/** Returns the button that adds the tool, or null if no chain can contain the tool. */
const stepButton = ({ href }: ToolEntry) =>
  byId('add-groups').querySelector<HTMLButtonElement>(
    `[value="add ${href.slice('/tools/'.length)}"]`,
  );

async function resultsOf(query: string): Promise<Node[]> {
  try {
    const tools = await searchTools(query);
    const buttons = tools.flatMap((tool) => stepButton(tool) ?? []);
    // Tools that this server cannot run are listed last.
    buttons.sort((one, other) => Number(one.disabled) - Number(other.disabled));
    const items = buttons.map((button) => make('li', {}, button.cloneNode(true)));
    const others = tools.filter((tool) => !stepButton(tool));
    return [
      items.length > 0
        ? make('ul', { className: 'tool-buttons' }, ...items)
        : make('p', { className: 'soft', textContent: NOTHING }),
      ...(others.length > 0 ? [linksTo(others.slice(0, MAX_LINKS))] : []),
    ];
  } catch (error) {
    return [make('p', { className: 'notice bad', textContent: errorText(error) })];
  }
}

/** Links to the tools that run only on their own pages. */
function linksTo(tools: readonly ToolEntry[]): HTMLElement {
  const links = tools.flatMap(({ href, title }, index) => [
    index === 0 ? '' : ', ',
    make('a', { href, textContent: title }),
  ]);
  return make('p', { className: 'small soft' }, 'Not available in chains: ', ...links);
}

/** Starts the search on the chain page. */
export function findSteps(): void {
  document.addEventListener('focusin', ({ target }) => {
    // If this fails, the index is fetched again when the visitor types, and the error is shown then.
    if (isSearch(target)) fetchIndex().catch(() => {});
  });
  document.addEventListener('input', ({ target }) => {
    if (isSearch(target)) void showFound(target);
  });
  document.addEventListener('keydown', async (event) => {
    const { target, key } = event;
    if (!isSearch(target)) {
      // The element does not exist if the chain already has the maximum number of steps.
      const box = document.getElementById('add-found');
      if (box?.contains(target as Node)) moveFocus(event, byId('add'), foundButtons());
      return;
    }
    moveFocus(event, target, foundButtons());
    if (key !== 'Enter' || event.isComposing) return;
    // By default, Enter would run the chain.
    event.preventDefault();
    await showFound(target);
    foundButtons()[0]?.click();
  });
}
