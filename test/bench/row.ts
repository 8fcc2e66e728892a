/** Makes the rows of the benchmark report. Each row compares a measurement with its baseline. */

export interface Row {
  name: string;
  ours: string;
  theirs: string;
  ratio: string;
  goal: string;
  reached: boolean;
}

/** Makes a row for a measurement such as time or size, whose ratio to the baseline must not exceed `most`. */
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
  ratio: theirs === 0 ? '' : (ours / theirs).toFixed(2),
  goal: `≤ ${most}`,
  reached: ours / theirs <= most,
});

/** Makes a row for a measurement such as a rate, whose ratio to the baseline must be at least `least`. */
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

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const shown = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));
