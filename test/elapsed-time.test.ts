/**
 * Checks that tests decide by events, counts or CPU time. Elapsed time may only guard against hangs, with a generous
 * bound.
 */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const LEAST_GUARD_MS = 10_000;
const COMPARISON =
  /(?:performance|Date)\.now\(\) - \w+\)\.(?:toBeLessThan|toBeLessThanOrEqual)\(([^)]*)\)/g;

/** Upper bounds of elapsed time in a test, except generous ones. */
const tightBounds = (source: string) =>
  [...source.matchAll(COMPARISON)]
    .map(([, bound = '']) => bound)
    // A bound that is not a literal, such as a constant of seconds, is treated as a hang guard.
    .filter((bound) => Number(bound.replaceAll('_', '')) < LEAST_GUARD_MS);

it('finds a comparison of elapsed time', () => {
  const compare = (bound: string) =>
    `expect(performance.now() - ${'started'}).toBeLessThan(${bound});`;
  expect(tightBounds(compare('2000'))).toEqual(['2000']);
  expect(tightBounds(compare('20_000'))).toEqual([]);
});

it('no test requires that something happens within seconds', () => {
  const tests = globSync('{src,test,containers,scripts}/**/*.test.{ts,tsx}');
  expect(tests.length).toBeGreaterThan(200);
  const found = tests.map((path) => [path, tightBounds(readFileSync(path, 'utf8'))]);
  expect(found.filter(([, bounds]) => bounds!.length > 0)).toEqual([]);
});
