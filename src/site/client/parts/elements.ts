/** Finds and creates elements of the page. */
import { linkedText } from '../../design/linked-text.ts';

/** Returns the element with this id. Throws if the page has none. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element #${id}.`);
  return found as T;
}

/** Returns the first element inside `root` that matches. Throws if no element matches. */
export function find<T extends Element = HTMLElement>(root: ParentNode, selector: string): T {
  const found = root.querySelector<T>(selector);
  if (!found) throw new Error(`The page has no element ${selector}.`);
  return found;
}

/** Creates an element with these properties and children. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** Returns a message in which the site's pages are links. */
export const linked = (message: string): (Node | string)[] =>
  linkedText(message).map(({ text, href }) =>
    href === undefined ? text : make('a', { href, textContent: text }),
  );

/** Shows a message in a box that is hidden while it is empty. */
export function showMessage(box: HTMLElement, message: string): void {
  box.replaceChildren(...linked(message));
  box.hidden = message === '';
}
