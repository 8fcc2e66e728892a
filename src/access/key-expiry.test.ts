import { describe, expect, it } from 'vitest';
import { latestKeyDay, parseKeyExpiry } from './key-expiry.ts';

const NOW = Date.UTC(2026, 10, 21, 12);

describe('parseKeyExpiry', () => {
  it.each([
    ['2026-11-21', '2026-11-22T00:00:00.000Z'],
    ['2027-01-31', '2027-02-01T00:00:00.000Z'],
    ['2028-02-29', '2028-03-01T00:00:00.000Z'],
    ['2036-11-21', '2036-11-22T00:00:00.000Z'],
    ['2027-01-31T12:30:00Z', '2027-01-31T12:30:00.000Z'],
  ])('reads %s as %s', (text, end) => {
    expect(parseKeyExpiry(text, NOW)).toEqual({ end: Date.parse(end) });
  });

  it.each([
    '',
    'soon',
    '01/02/2030',
    '2027-02-29',
    '2027-02-31',
    '2027-04-31',
    '2027-13-01',
    '2027-00-10',
    '2027-01-00',
    '2027-1-1',
    '2027-02-31T12:00:00Z',
    '2027-01-31T25:00:00Z',
    '2027-01-31T12:00:00',
    '+010000-01-01',
  ])('rejects an invalid date: %j', (text) => {
    expect(parseKeyExpiry(text, NOW)).toEqual({ wrong: 'must be a date such as 2027-01-31' });
  });

  it('rejects dates in the past or more than ten years ahead', () => {
    for (const text of ['2026-11-20', '2020-01-01', '2026-11-21T12:00:00Z']) {
      expect(parseKeyExpiry(text, NOW)).toEqual({ wrong: 'must be in the future' });
    }
    for (const text of ['2036-11-22', '9999-12-31']) {
      expect(parseKeyExpiry(text, NOW)).toEqual({ wrong: 'must be within 10 years' });
    }
    expect(latestKeyDay(NOW)).toBe('2036-11-21');
  });
});
