/** Describes what a run of a chain costs. The page's script updates the text when files are chosen. */

/**
 * Returns a clause about the cost, such as "A run of this chain counts as 2 tool runs". The page completes the
 * sentence.
 *
 * @param steps the number of steps, not counting the upload, which is free
 * @param runs how many times the chain runs: once for each file if its first tool takes only one
 */
export function costText(steps: number, runs = 1): string {
  if (runs > 1) return `A run on these ${runs} files counts as ${runs * steps} tool runs`;
  return steps < 2
    ? 'Each step except the upload counts as one tool run'
    : `A run of this chain counts as ${steps} tool runs`;
}
