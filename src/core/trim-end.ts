/** Trims text in linear time. A regular expression such as `/\/+$/` runs in quadratic time. */

/** Removes `characters` from the end of the text, and white space as well if `space` is set. */
export function trimEnd(text: string, characters: string, space = false): string {
  let end = text.length;
  while (end > 0) {
    const last = text[end - 1]!;
    if (!characters.includes(last) && !(space && last.trim() === '')) break;
    end -= 1;
  }
  return text.slice(0, end);
}

/** Returns the path with one leading slash and without a trailing slash. */
export const canonicalPath = (path: string): string => `/${trimEnd(path.replace(/^\/+/, ''), '/')}`;
