import { describe, expect, it } from 'vitest';
import { periodOf } from './calendar.ts';

describe('a calendar period', () => {
  it('is a day or a month in UTC, including at the turn of the year', () => {
    const newYear = Date.UTC(2027, 0, 1);
    expect(periodOf('day', newYear - 1)).toEqual({ name: '2026-12-31', end: newYear });
    expect(periodOf('month', newYear - 1)).toEqual({ name: '2026-12', end: newYear });
    expect(periodOf('day', newYear)).toEqual({ name: '2027-01-01', end: Date.UTC(2027, 0, 2) });
    expect(periodOf('month', newYear)).toEqual({ name: '2027-01', end: Date.UTC(2027, 1, 1) });
  });
});
