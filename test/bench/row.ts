/** A figure and its baseline. */

export interface Row {
  name: string;
  ours: string;
  theirs: string;
  ratio: string;
  goal: string;
  reached: boolean;
}

/** A row whose ratio must be at most `most`, such as a time or a size. */
export const atMost = (
  name: string,
  ours: number,
  theirs: number,
  most: number,
  unit: string,
): Row => ({
  name,
  ours: `${shown(ours)} ${unit}`,
  theirs: `${shown(theirs)} ${unit}`,
  ratio: (ours / theirs).toFixed(2),
  goal: `≤ ${most}`,
  reached: ours / theirs <= most,
});

/** A row whose ratio must be at least `least`, such as a rate. */
export const atLeast = (
  name: string,
  ours: number,
  theirs: number,
  least: number,
  unit: string,
): Row => ({
  ...atMost(name, ours, theirs, least, unit),
  goal: `≥ ${least}`,
  reached: ours / theirs >= least,
});

/** Returns the median of several measurements. */
export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const shown = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));
