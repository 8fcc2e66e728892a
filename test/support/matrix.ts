/** Selects some of many similar test cases. `npm run test:long` runs all cases, and `npm test` runs a few. */

/** The project `long` in vitest.config.mts sets this variable. */
const isWhole = process.env.WHOLE_MATRIX === '1';

/** Returns every nth case, including the first and the last. `npm run test:long` gets all cases. */
export const someOf = <T>(cases: readonly T[], every: number): readonly T[] =>
  isWhole ? cases : cases.filter((_, index) => index % every === 0 || index === cases.length - 1);

/** Returns cases that together include every value. */
export function covering<T extends object>(cases: readonly T[]): readonly T[] {
  const seen = new Set<unknown>();
  return cases.filter((one) => {
    const values = Object.values(one);
    const isNew = values.some((value) => !seen.has(value));
    for (const value of values) seen.add(value);
    return isWhole || isNew;
  });
}

/** Returns cases that together include every pair of values that occurs in a case. */
export function pairing<T extends object>(cases: readonly T[]): readonly T[] {
  const seen = new Map<unknown, Set<unknown>>();
  const isNew = (one: unknown, other: unknown) => {
    const known = seen.get(one) ?? new Set();
    seen.set(one, known);
    return known.size < known.add(other).size;
  };
  return cases.filter((each) => {
    const values = Object.values(each);
    const news = values.flatMap((one, at) =>
      values.slice(at + 1).map((other) => isNew(one, other)),
    );
    return isWhole || news.includes(true);
  });
}
