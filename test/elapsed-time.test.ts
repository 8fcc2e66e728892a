/**
 * Checks that tests depend on events, counts or CPU time, and not on elapsed time. Elapsed time may only guard against
 * hangs, with a generous limit.
 */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const MIN_GUARD_MS = 30_000;
const COMPARISON =
  /(?:performance|Date)\.now\(\) - \w+\)\.(?:toBeLessThan|toBeLessThanOrEqual)\(([^)]*)\)/g;
const TIME_OUT = /(?:\btimeout: |\bPATIENCE\w* = |AbortSignal\.timeout\()([1-9][\d_]*)/g;
/** Matches waits without an explicit time-out. Vitest's default time-out is only a second. */
const WAIT = /vi\.wait(?:For|Until)\([^;]*;/g;

/** Finds upper bounds on elapsed time that are too tight. */
const tightBounds = (source: string) => [
  ...[COMPARISON, TIME_OUT]
    .flatMap((pattern) => [...source.matchAll(pattern)])
    .map(([, bound = '']) => bound)
    // A bound that is not a literal, such as a named constant, counts as a guard against hangs.
    .filter((bound) => Number(bound.replaceAll('_', '')) < MIN_GUARD_MS),
  ...[...source.matchAll(WAIT)]
    .map(([wait]) => wait)
    .filter((wait) => !/timeout|PATIENCE/.test(wait)),
];

it('the rule finds a comparison of elapsed time', () => {
  const compare = (bound: string) =>
    `expect(performance.now() - ${'started'}).toBeLessThan(${bound});`;
  expect(tightBounds(compare('2000'))).toEqual(['2000']);
  expect(tightBounds(compare('60_000'))).toEqual([]);
  const wait = (options: string) => `await vi.${'waitFor'}(done${options});`;
  expect(tightBounds(wait(''))).toHaveLength(1);
  expect(tightBounds(wait(`, { ${'timeout'}: 9_000 }`))).toEqual(['9_000']);
  expect(tightBounds(wait(', PATIENCE'))).toEqual([]);
});

it('only the listed files launch a browser', () => {
  const launching = globSync('test/**/*.ts').filter((path) =>
    /(?:chromium|puppeteer)\.launch\(/.test(readFileSync(path, 'utf8')),
  );
  expect(launching.sort()).toEqual([
    // This file compares timings and contains no tests.
    'test/bench/web.ts',
    // This is a Worker, which fails together with its test.
    'test/start/browser-worker/worker.ts',
    'test/support/chromium.ts',
  ]);
});

it('no test requires an event within seconds', () => {
  const tests = globSync(['{src,containers,scripts}/**/*.test.{ts,tsx}', 'test/**/*.ts']);
  expect(tests.length).toBeGreaterThan(200);
  const found = tests.map((path) => [path, tightBounds(readFileSync(path, 'utf8'))]);
  expect(found.filter(([, bounds]) => bounds!.length > 0)).toEqual([]);
});
