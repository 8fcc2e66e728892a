import { describe, expect, it } from 'vitest';
import { MB } from '../../src/core/limits.ts';
import { WorkLimit } from './work-limit.ts';

const MAX_TIME = { seconds: 60 };

describe('the limit of a program', () => {
  it('is 10 CPU seconds up to 1 MB, and a multiple of it in elapsed time', () => {
    for (const bytes of [0, 2500, MB]) {
      expect(new WorkLimit(bytes).within(MAX_TIME)).toEqual({
        cpuSeconds: 10,
        timeLimitMs: 40_000,
      });
    }
  });

  it('grows with the size and the measured work, up to the maximum', () => {
    expect(new WorkLimit(6 * MB).within(MAX_TIME).cpuSeconds).toBe(25);
    const limit = new WorkLimit(MB);
    limit.allow(15);
    expect(limit.within(MAX_TIME)).toEqual({ cpuSeconds: 25, timeLimitMs: 60_000 });
    expect(new WorkLimit(50 * MB).within(MAX_TIME)).toEqual({
      cpuSeconds: 60,
      timeLimitMs: 60_000,
    });
  });

  it('counts all cores for a multi-threaded program', () => {
    const limit = new WorkLimit(50 * MB);
    expect(limit.within({ seconds: 60, cores: 2 })).toEqual({
      cpuSeconds: 120,
      timeLimitMs: 60_000,
    });
  });

  it('reports the allowance beyond the size', () => {
    const heard: number[] = [];
    new WorkLimit(1, (seconds) => heard.push(seconds)).allow(3);
    expect(heard).toEqual([3]);
  });
});
