/** Makes links to this page with values in the fragment, which browsers never send to a server. */

/** The maximum length of a link, in characters. Messaging apps and other programs truncate longer links. */
export const MAX_CHARACTERS = 8000;

/** @param values the names and values, in any form that URLSearchParams takes */
export const linkWith = (
  page: string,
  values: ConstructorParameters<typeof URLSearchParams>[0],
): string => `${page}#${new URLSearchParams(values)}`;

/** Copies the link, and shows a message on the button for a moment. */
export async function copyLink(
  button: HTMLElement,
  link: string,
  message = 'Copied',
): Promise<void> {
  try {
    await navigator.clipboard.writeText(link);
    showOn(button, message);
  } catch {
    // The clipboard API is not available in insecure contexts.
    history.replaceState(history.state, '', link);
    showOn(button, 'Copy the link from the address bar');
  }
}

/** Shows a message on the button that copies a link, for three seconds. */
export function showOn(button: HTMLElement, message: string): void {
  button.textContent = message;
  setTimeout(() => {
    button.textContent = 'Copy link';
  }, 3000);
}

/**
 * Returns the values in the URL's fragment if they include one of these names. Removes the fragment, because it would
 * replace later changes when the visitor reloads the page.
 */
export function takeValues(names: readonly string[]): URLSearchParams | undefined {
  const values = new URLSearchParams(location.hash.slice(1));
  if (!names.some((name) => values.has(name))) return undefined;
  history.replaceState(history.state, '', location.pathname + location.search);
  return values;
}
