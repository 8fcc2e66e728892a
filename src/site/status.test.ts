import { describe, expect, it } from 'vitest';
import type { State } from '../core/health.ts';
import { partStatuses } from './status.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const check = (ago: number, files: State, disk: State = 'ok') => ({
  at: NOW - ago,
  parts: [
    { name: 'files', state: files, ms: 1 },
    { name: 'disk', state: disk, ms: 1 },
  ],
});

describe('the state of the parts', () => {
  it('is that of the last check, and the worst of each hour before', () => {
    const [files, ...others] = partStatuses(
      [
        check(30 * HOUR_MS, 'down'),
        check(23 * HOUR_MS, 'degraded'),
        check(HOUR_MS + 2 * MINUTE_MS, 'ok'),
        check(HOUR_MS + MINUTE_MS, 'down'),
        check(HOUR_MS + 30_000, 'degraded'),
        check(MINUTE_MS, 'ok'),
      ],
      NOW,
    );
    expect(others).toEqual([]);
    expect(files).toMatchObject({ name: 'Files', state: 'ok' });
    expect(files!.hours).toEqual(['degraded', ...Array(21).fill(null), 'down', 'ok']);
  });

  it('is empty before the first check', () => {
    expect(partStatuses([], NOW)).toEqual([]);
  });
});
