/** Suggests names for one that does not exist. */

/** The names of which the given one is a word, such as `merge_pdf` for `merge`; otherwise those that differ least. */
export function similarNames(given: string, names: readonly string[]): string[] {
  const wanted = given.toLowerCase().replaceAll('-', '_');
  const longer = names.filter((name) => name.split('_').includes(wanted));
  if (longer.length > 0) return longer;
  const distances = names.map((name) => distanceOf(wanted, name.toLowerCase()));
  const least = Math.min(...distances);
  const isTypo = least <= Math.ceil(wanted.length / 4);
  return isTypo ? names.filter((_, index) => distances[index] === least) : [];
}

/** The question that follows the name of what does not exist; empty if nothing is similar. */
export function didYouMean(similar: readonly string[]): string {
  return similar.length > 0 ? ` Did you mean ${similar.join(' or ')}?` : '';
}

/** Characters to insert, delete or replace (Levenshtein). */
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
