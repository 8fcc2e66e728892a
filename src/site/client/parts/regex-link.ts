/** Makes links to the page of test_regex that contain its fields in the fragment, which browsers do not send. */

type Field = HTMLInputElement | HTMLTextAreaElement;

/** The maximum length of a link in characters. Many programs cut longer ones. */
const MAX_LENGTH = 8000;

/** Returns a link that fills these fields. The link omits the text if it would be too long otherwise. */
export function linkTo(
  page: string,
  fields: { pattern: string; flags: string; text: string },
): { link: string; hasText: boolean } {
  const { text: _, ...others } = fields;
  const link = `${page}#${new URLSearchParams(fields)}`;
  if (link.length <= MAX_LENGTH) return { link, hasText: true };
  return { link: `${page}#${new URLSearchParams(others)}`, hasText: false };
}

/**
 * Fills the fields from the fragment of the address, if it has an expression. Removes the fragment, because it would
 * replace later changes when the visitor reloads the page.
 *
 * @returns whether the fields were filled
 */
export function fillFromLink(fields: readonly Field[]): boolean {
  const values = new URLSearchParams(location.hash.slice(1));
  if (!values.has('pattern')) return false;
  for (const field of fields) field.value = values.get(field.id) ?? field.value;
  history.replaceState(history.state, '', location.pathname + location.search);
  return true;
}

/** Copies a link to these fields, and confirms it on the button. */
export async function copyLink(
  button: HTMLElement,
  [pattern, flags, text]: readonly [Field, Field, Field],
): Promise<void> {
  const page = location.origin + location.pathname;
  const values = { pattern: pattern.value, flags: flags.value, text: text.value };
  const { link, hasText } = linkTo(page, values);
  try {
    await navigator.clipboard.writeText(link);
    button.textContent = hasText ? 'Copied' : 'Copied without the text, which is too long';
  } catch {
    // The clipboard API is not available in insecure contexts.
    history.replaceState(history.state, '', link);
    button.textContent = 'Copy the link from the address bar';
  }
  setTimeout(() => {
    button.textContent = 'Copy link';
  }, 3000);
}
