import { describe, expect, it } from 'vitest';
import { FAILURES, NORMAL_FORMS, TAKEN_BY_THE_PLATFORM } from '../../../test/support/url-cases.ts';
import { parseTarget } from './parse-target.ts';

describe('a target', () => {
  it.each(NORMAL_FORMS)(
    'is kept in the normal form of the URL standard: %j is %j',
    (given, href) => {
      expect(parseTarget(given).href).toBe(href);
      expect(parseTarget(href).href).toBe(href);
    },
  );

  it.each(FAILURES)('is refused where it is no absolute http or https URL: %j', (given) => {
    expect(() => parseTarget(given)).toThrow(
      expect.objectContaining({ status: 400, param: 'url' }),
    );
  });

  it.each(TAKEN_BY_THE_PLATFORM)('differs from the standard in no more than this: %j', (given) => {
    expect(parseTarget(given).href).toBe(given);
  });
});
