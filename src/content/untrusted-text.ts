/** Marks text from pages and documents as data for models, not instructions (api.md, Search passage). */

/**
 * Matches the start of a DATA tag in upper or lower case, even with spaces, a slash or invisible characters before the
 * name.
 */
const TAG = /<(?=[\s/\p{Cf}]*data(?![\p{L}\p{N}]))/giu;

/** Wraps the text in `<DATA>…</DATA>`. The text cannot close the tag itself. */
export const asData = (text: string): string => `<DATA>${text.replace(TAG, '&lt;')}</DATA>`;

/** Matches tokens such as addresses, numbers, dates and codes, which are printable ASCII without spaces or tags. */
const SINGLE_TOKEN = /^[\x21-\x3b\x3d-\x7e]*$/;

/** Marks every string in the value with `asData`, including field names. Single tokens stay unchanged. */
export function markTexts(value: unknown): unknown {
  if (typeof value === 'string') return marked(value);
  if (Array.isArray(value)) return value.map(markTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [marked(name), markTexts(field)]),
  );
}

const marked = (text: string) => (SINGLE_TOKEN.test(text) ? text : asData(text));
