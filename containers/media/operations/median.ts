/** Returns the median, which is the upper of two middle values, or 0 if there are no values. */
export const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
