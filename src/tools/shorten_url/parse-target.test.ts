import { describe, expect, it } from 'vitest';
import { FAILURES, NORMAL_FORMS, TAKEN_BY_THE_PLATFORM } from '../../../test/support/url-cases.ts';
import { parseTarget } from './parse-target.ts';

describe('parseTarget', () => {
  it.each(NORMAL_FORMS)(
    'returns the normal form of the URL standard: %j becomes %j',
    (given, href) => {
      expect(parseTarget(given).href).toBe(href);
      expect(parseTarget(href).href).toBe(href);
    },
  );

  it.each(FAILURES)('rejects anything but an absolute http or https URL: %j', (given) => {
    expect(() => parseTarget(given)).toThrow(
      expect.objectContaining({ status: 400, param: 'url' }),
    );
  });

  it('says what is wrong: the scheme, or the host and port', () => {
    for (const given of ['example.com', '//example.com', 'ftp://example.com', 'javascript:x']) {
      expect(() => parseTarget(given)).toThrow('must be absolute and begin with http://');
    }
    for (const given of ['http://256.1.1.1', ' HTTPS://example.com:99999/', 'http://a b.test']) {
      expect(() => parseTarget(given)).toThrow('Check its host and its port.');
    }
  });

  it.each(TAKEN_BY_THE_PLATFORM)('leaves %j unchanged, unlike the URL standard', (given) => {
    expect(parseTarget(given).href).toBe(given);
  });
});
