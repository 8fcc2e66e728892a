import { describe, expect, it } from 'vitest';
import { requireOwnOrigin, signInSite } from './sign-in-site.ts';

describe('signInSite', () => {
  it.each([
    ['https://tools.example/developers', 'https://tools.example', 'https://tools.example'],
    // Simulates a proxy that terminates TLS.
    ['http://tools.example/developers', 'https://tools.example', 'https://tools.example'],
    ['http://localhost:8787/developers', 'http://localhost:8787', 'http://localhost:8787'],
    ['http://localhost:8787/developers', 'http://192.168.1.5:8787', 'http://localhost:8787'],
  ])('returns %s for a service at %s', (url, baseUrl, origin) => {
    expect(signInSite(url, baseUrl)).toEqual({ origin, domain: new URL(origin).hostname });
  });

  it.each([
    ['http://127.0.0.1:8787/developers', 'http://localhost:8787', /IP address/],
    ['http://[::1]:8787/developers', 'http://localhost:8787', /IP address/],
    ['http://192.168.1.5:8787/developers', 'http://192.168.1.5:8787', /IP address/],
    ['http://laptop.local:8787/developers', 'http://laptop.local:8787', /plain http/],
    ['http://localhost.evil.example:8787/', 'http://localhost:8787', /plain http/],
  ])('rejects %s for a service at %s and points to localhost', (url, baseUrl, why) => {
    expect(signInSite(url, baseUrl)).toEqual({
      why: expect.stringMatching(why),
      goTo: 'http://localhost:8787/developers',
    });
  });

  it('points to the public address when the service is opened under another name', () => {
    for (const url of [
      'https://tools.workers.dev/developers',
      'http://localhost:8787/developers',
    ]) {
      expect(signInSite(url, 'https://tools.example')).toMatchObject({
        goTo: 'https://tools.example/developers',
      });
    }
  });

  it('accepts changes only from the site’s own pages', () => {
    const signInAt = signInSite('https://tools.example/', 'https://tools.example');
    const from = (Origin?: string) =>
      new Request('https://tools.example/developers/keys', {
        method: 'POST',
        ...(Origin && { headers: { Origin } }),
      });
    requireOwnOrigin(from('https://tools.example'), signInAt);
    for (const origin of [undefined, 'null', 'http://tools.example', 'https://evil.example']) {
      expect(() => requireOwnOrigin(from(origin), signInAt)).toThrow(
        expect.objectContaining({ status: 403 }),
      );
    }
  });

  it('accepts requests that need no account from its own pages at any address', () => {
    const url = 'http://192.168.1.5:8787/developers/trial-key';
    const signInAt = signInSite(url, 'http://localhost:8787');
    const from = (Origin: string) => new Request(url, { method: 'POST', headers: { Origin } });
    requireOwnOrigin(from('http://192.168.1.5:8787'), signInAt);
    for (const origin of ['http://192.168.1.5', 'http://192.168.1.5:8788', 'null', '']) {
      expect(() => requireOwnOrigin(from(origin), signInAt)).toThrow();
    }
  });
});
