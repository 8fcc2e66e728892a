import { describe, expect, it } from 'vitest';
import { baseUrl, body, execute } from '../support/service.ts';

describe('a short link', () => {
  it('redirects with 302 and no-store, over GET and HEAD', async () => {
    const { shortUrl } = await body(
      await execute('shorten_url', { url: 'https://example.com/target?a=1#b' }),
    );
    expect(shortUrl.startsWith(`${baseUrl}/`)).toBe(true);
    for (const method of ['GET', 'HEAD']) {
      const response = await fetch(shortUrl, { method, redirect: 'manual' });
      expect(response.status).toBe(302);
      expect(response.headers.get('Location')).toBe('https://example.com/target?a=1#b');
      expect(response.headers.get('Cache-Control')).toBe('no-store');
    }
  });

  it('returns 404 if the code is unknown', async () => {
    const response = await fetch(`${baseUrl}/no-such-code`);
    expect(response.status).toBe(404);
    expect(await body(response)).toMatchObject({ code: 'not_found' });
  });
});
