/** Trimming in linear time: a regular expression such as `/\/+$/` tries anew at each of the characters it looks for. */

/** The text without the characters at its end that are among `characters`, and without white space there if `space`. */
export function trimEnd(text: string, characters: string, space = false): string {
  let end = text.length;
  while (end > 0) {
    const last = text[end - 1]!;
    if (!characters.includes(last) && !(space && last.trim() === '')) break;
    end -= 1;
  }
  return text.slice(0, end);
}

/** The path with one slash in front and none at its end. */
export const canonicalPath = (path: string): string => `/${trimEnd(path.replace(/^\/+/, ''), '/')}`;
