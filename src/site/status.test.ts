import { describe, expect, it } from 'vitest';
import type { PartState } from '../core/health.ts';
import { partStatuses } from './status.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const check = (ago: number, files: PartState, disk: PartState = 'ok') => ({
  at: NOW - ago,
  parts: [
    { name: 'files', state: files, ms: 1 },
    { name: 'disk', state: disk, ms: 1 },
  ],
});

describe('the status of the parts', () => {
  it('shows the last check and the worst state of each earlier hour', () => {
    const [files, ...others] = partStatuses(
      {
        days: [],
        checks: [
          check(30 * HOUR_MS, 'down'),
          check(23 * HOUR_MS, 'degraded'),
          check(HOUR_MS + 2 * MINUTE_MS, 'ok'),
          check(HOUR_MS + MINUTE_MS, 'down'),
          check(HOUR_MS + 30_000, 'degraded'),
          check(MINUTE_MS, 'ok'),
        ],
      },
      NOW,
    );
    expect(others).toEqual([]);
    expect(files).toMatchObject({ name: 'Stored files', state: 'ok' });
    expect(files!.hours).toEqual(['degraded', ...Array(21).fill(null), 'down', 'ok']);
  });

  it('omits rate limits that are off, which visitors do not miss, but not screenshots', () => {
    const parts = ['limiter', 'browser', 'files'].map((name) => ({
      name,
      state: name === 'files' ? ('ok' as const) : ('unconfigured' as const),
      ms: 1,
    }));
    const found = partStatuses({ days: [], checks: [{ at: NOW, parts }] }, NOW);
    expect(found.map(({ name }) => name)).toEqual(['Screenshots of web pages', 'Stored files']);
  });

  it('is empty before the first check', () => {
    expect(partStatuses({ checks: [], days: [] }, NOW)).toEqual([]);
  });

  it('counts a day as bad after more than an hour of downtime', () => {
    const day = (date: string, down: number, degraded = 0, part = 'files') => ({
      day: date,
      part,
      checks: 288,
      degraded,
      down,
    });
    const days = [
      day('2026-08-24', 0),
      day('2026-11-18', 13),
      day('2026-11-19', 12),
      day('2026-11-20', 0, 1),
      day('2026-11-21', 0),
      day('2026-11-21', 288, 0, 'jobs'),
    ];
    const [files] = partStatuses({ checks: [check(MINUTE_MS, 'ok')], days }, NOW);
    expect(files!.days).toHaveLength(90);
    expect(files!.days.slice(-5)).toEqual([null, 'down', 'degraded', 'degraded', 'ok']);
    expect(files!.days[0]).toBe('ok');
    expect(files).toMatchObject({ measuredDays: 5, checks: 5 * 288, passed: 5 * 288 - 25 });
  });
});
