/** The value of a slider as people read it. */

export const numberText = (value: string, isPercent: boolean): string =>
  isPercent ? `${Math.round(Number(value) * 100)} %` : value;
