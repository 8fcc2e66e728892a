/** Manages the chains that the visitor has saved in this browser, as names and paths. */
import { make } from './elements.ts';

const KEY = 'chains';
const MAX_CHAINS = 50;

type Saved = Record<string, string>;

function saved(): Saved {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}');
  } catch {
    // The storage is blocked, or its content is malformed.
    return {};
  }
}

/** Returns the name of the saved chain at `path`, or undefined if no chain is saved there. */
export const savedNameOf = (path: string): string | undefined =>
  Object.entries(saved()).find(([, one]) => one === path)?.[0];

/** Saves a chain and returns a message for the visitor. */
export function saveChain(name: string, path: string): string {
  const wanted = name.trim();
  if (wanted === '') return 'Enter a name first.';
  const all = saved();
  if (Object.keys(all).length >= MAX_CHAINS && !Object.hasOwn(all, wanted))
    return `The limit is ${MAX_CHAINS} saved chains. Delete one first.`;
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...all, [wanted]: path }));
    return 'Saved. Your saved chains are listed at /chains.';
  } catch {
    return 'The chain was not saved: the storage of this browser is blocked or full.';
  }
}

/** Lists the saved chains. The element for them exists only while the chain is empty. */
export function showSavedChains(): void {
  const box = document.querySelector('[data-saved-chains]');
  const all = Object.entries(saved());
  if (!box) return;
  if (all.length === 0) {
    box.replaceChildren();
    return;
  }
  const items = all.map(([name, path]) => {
    const remove = make('button', {
      type: 'button',
      className: 'small quiet',
      textContent: 'Delete',
    });
    remove.ariaLabel = `Delete ${name}`;
    remove.addEventListener('click', () => {
      const { [name]: _, ...others } = saved();
      localStorage.setItem(KEY, JSON.stringify(others));
      showSavedChains();
    });
    return make('li', {}, make('a', { href: path, textContent: name }), ' ', remove);
  });
  box.replaceChildren(
    make('h2', { textContent: 'Saved in this browser' }),
    make('ul', { className: 'cluster' }, ...items),
  );
}
