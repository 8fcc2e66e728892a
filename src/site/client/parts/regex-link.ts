/** Makes links to the page of test_regex that contain its fields. */
import * as fragment from './fragment-link.ts';

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Returns a link that fills these fields. The link omits the text if it would be too long otherwise. */
export function linkTo(
  page: string,
  fields: { pattern: string; flags: string; text: string },
): { link: string; hasText: boolean } {
  const { text: _, ...others } = fields;
  const link = fragment.linkWith(page, fields);
  if (link.length <= fragment.MAX_CHARACTERS) return { link, hasText: true };
  return { link: fragment.linkWith(page, others), hasText: false };
}

/**
 * Fills the fields from the URL's fragment, if it contains an expression.
 *
 * @returns whether the fields were filled
 */
export function fillFromLink(fields: readonly Field[]): boolean {
  const values = fragment.takeValues(['pattern']);
  if (!values) return false;
  for (const field of fields) field.value = values.get(field.id) ?? field.value;
  return true;
}

/** Copies a link to these fields, and confirms it on the button. */
export async function copyRegexLink(
  button: HTMLElement,
  [pattern, flags, text]: readonly [Field, Field, Field],
): Promise<void> {
  const page = location.origin + location.pathname;
  const values = { pattern: pattern.value, flags: flags.value, text: text.value };
  const { link, hasText } = linkTo(page, values);
  await fragment.copyLink(
    button,
    link,
    hasText ? 'Copied' : 'Copied without the text, which is too long',
  );
}
