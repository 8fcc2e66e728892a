/**
 * Returns the first index below `count` for which `isReached` returns true, or `count` if it never does. If it is true
 * for an index, it must be true for all later ones.
 */
export function firstIndex(count: number, isReached: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isReached(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
