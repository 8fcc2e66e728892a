import { describe, expect, it } from 'vitest';
import { browserName } from './browser-name.ts';

const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

describe('browserName', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
    [`Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/142.0 Safari/537.36`, 'Chrome on Windows'],
    [
      `Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/142.0 Safari/537.36 Edg/142.0`,
      'Edge on Windows',
    ],
    [
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) ${WEBKIT} Version/18 Safari/605.1`,
      'Safari on macOS',
    ],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${WEBKIT} Version/18 Safari/604.1`,
      'Safari on iOS',
    ],
    [
      `Mozilla/5.0 (Linux; Android 15) ${WEBKIT} Chrome/142.0 Mobile Safari/537.36`,
      'Chrome on Android',
    ],
    ['curl/8.0', 'A browser'],
    [null, 'A browser'],
  ])('reads the user agent %j as %s', (agent, name) => {
    expect(browserName(agent)).toBe(name);
  });
});
