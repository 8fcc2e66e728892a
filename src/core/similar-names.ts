/** Suggests similar names for a name that does not exist. */

/**
 * Returns the names that contain all words of the given name with three or more characters, in any order. If there are
 * none, returns the names that it may be a misspelling of. The list may be empty.
 */
export function similarNames(given: string, names: readonly string[]): string[] {
  const words = given.toLowerCase().split(/[^a-z0-9]+/);
  const longWords = words.filter(({ length }) => length > 2);
  const longer = names.filter((name) => longWords.every((word) => name.includes(word)));
  if (longWords.length > 0 && longer.length > 0) return longer;
  const wanted = words.join('_');
  const distances = names.map((name) => distanceOf(wanted, name.toLowerCase()));
  const least = Math.min(...distances);
  const isTypo = least <= Math.ceil(wanted.length / 4);
  return isTypo ? names.filter((_, index) => distances[index] === least) : [];
}

/** Returns a question that suggests the names, with a leading space. Returns an empty string if there are no names. */
export const didYouMean = (similar: readonly string[]): string =>
  similar.length > 0 ? ` Did you mean ${similar.join(' or ')}?` : '';

/** Returns the Levenshtein distance: the number of characters to insert, delete or replace. */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, character] of Array.from(from).entries()) {
    const next = [index + 1];
    for (let at = 0; at < to.length; at += 1) {
      const replaced = row[at]! + (character === to[at] ? 0 : 1);
      next.push(Math.min(replaced, row[at + 1]! + 1, next[at]! + 1));
    }
    row = next;
  }
  return row.at(-1)!;
}
