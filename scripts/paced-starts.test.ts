import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PacedStarts } from './paced-starts.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('concurrent requests start one after the other, the first one immediately', () => {
  const starts = new PacedStarts();
  const started: number[] = [];
  const add = (index: number, isThere = true) =>
    starts.add(() => {
      if (isThere) started.push(index);
      return isThere;
    });
  add(0);
  add(1);
  for (let left = 0; left < 1000; left++) add(left, false);
  add(2);
  expect(started).toEqual([0]);
  vi.advanceTimersToNextTimer();
  expect(started).toEqual([0, 1]);
  vi.advanceTimersToNextTimer();
  expect(started).toEqual([0, 1, 2]);
  vi.runAllTimers();
  add(3);
  expect(started).toEqual([0, 1, 2, 3]);
});
