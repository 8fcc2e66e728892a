/** A passage's text between tags that tell models it is material, not instructions (api.md, Search passage). */

/** Also with spaces, a slash or invisible characters before the name, and in any case. */
const TAG = /<(?=[\s/\p{Cf}]*data(?![\p{L}\p{N}]))/giu;

/** `<DATA>…</DATA>`, which nothing inside can close. */
export const asData = (text: string): string => `<DATA>${text.replace(TAG, '&lt;')}</DATA>`;
