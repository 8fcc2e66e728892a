/** Formats the value of a slider. */

export const numberText = (value: string, isPercent: boolean): string =>
  isPercent ? `${Math.round(Number(value) * 100)} %` : value;
