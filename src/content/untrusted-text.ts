/** A passage's text between tags that tell models it is material, not instructions (api.md, Search passage). */

/** Also with spaces, a slash or invisible characters before the name, and in any case. */
const TAG = /<(?=[\s/\p{Cf}]*data(?![\p{L}\p{N}]))/giu;

/** `<DATA>…</DATA>`, which nothing inside can close. */
export const asData = (text: string): string => `<DATA>${text.replace(TAG, '&lt;')}</DATA>`;

/** Addresses, numbers, dates and codes: printable ASCII without spaces and without a tag. */
const SINGLE_TOKEN = /^[\x21-\x3b\x3d-\x7e]*$/;

/** The value with every text in it marked by `asData`, names of fields included; single tokens stay as they are. */
export function markTexts(value: unknown): unknown {
  if (typeof value === 'string') return marked(value);
  if (Array.isArray(value)) return value.map(markTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [marked(name), markTexts(field)]),
  );
}

const marked = (text: string) => (SINGLE_TOKEN.test(text) ? text : asData(text));
