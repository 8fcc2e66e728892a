import { describe, expect, it } from 'vitest';
import { quotaText } from './quota-text.ts';

const text = (
  policy: string,
  remaining: number,
  limit: number,
  window: number,
  ownRates?: string,
) =>
  quotaText(
    new Headers({
      RateLimit: `"${policy}";r=${remaining};t=30`,
      'RateLimit-Policy': `"${policy}";q=${limit};w=${window}`,
    }),
    ownRates,
  );

describe('quotaText', () => {
  it('names the unit that the policy counts', () => {
    expect(text('chain', 11, 12, 60)).toBe('You have 11 of 12 chains left this minute.');
    expect(text('merge_pdf-hour', 18, 20, 3600)).toBe('You have 18 of 20 runs left this hour.');
    expect(text('execution', 12, 35, 3600)).toBe(
      'You have 12 of 35 free runs left this hour. Sign in for 60 a minute.',
    );
  });

  it('names the own limit of the tool, which an account does not raise', () => {
    expect(text('execution', 12, 35, 3600, '30 an hour')).toBe(
      "You have 12 of 35 free runs left this hour. Sign in for 60 a minute. This tool's own limit of 30 an hour still applies.",
    );
    expect(text('merge_pdf-hour', 18, 20, 3600, '20 an hour')).not.toContain('own limit');
  });

  it('reports when the quota renews', () => {
    expect(text('chain', 0, 12, 60)).toBe(
      'You have 0 of 12 chains left this minute. More in 30 seconds.',
    );
  });
});
