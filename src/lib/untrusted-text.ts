/** A passage's text between tags that tell models it is material, not instructions (api.md, Search passage). */

/** Also with spaces, a slash or invisible characters before the name, and in any case. */
const TAG = /<(?=[\s/\p{Cf}]*data(?![\p{L}\p{N}]))/giu;

/** `<DATA>…</DATA>`, which nothing inside can close. */
export const asData = (text: string): string => `<DATA>${text.replace(TAG, '&lt;')}</DATA>`;

/** The same in JSON, where a line break and the like are written as escapes. */
const TAG_IN_JSON = /<(?=(?:[\s/\p{Cf}]|\\[bfnrt]|\\u[\da-f]{4})*data(?![\p{L}\p{N}]))/giu;

/** As `asData`, for a JSON text: what is between the tags is the same JSON, with some characters escaped. */
export const asJsonData = (json: string): string =>
  `<DATA>${json.replace(TAG_IN_JSON, '\\u003c')}</DATA>`;
