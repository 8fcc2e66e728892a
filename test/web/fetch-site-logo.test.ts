import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawImage, icoOf } from '../support/images.ts';
import { type Answer, html } from '../support/upstream.ts';
import { openWebService, type WebService } from '../support/web-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'tools-logo-'));
const image = (width: number, height: number, extension = 'png'): Answer => {
  const bytes = drawImage(folder, `${width}x${height}.${extension}`, width, height);
  return (_, response) => html(response, bytes, `image/${extension}`);
};

const ANSWERS: Record<string, Answer | string> = {
  '/': `<!doctype html><html lang=en><head><title>A site</title>
    <link rel=manifest href=/app.webmanifest><link rel=apple-touch-icon sizes=180x180 href=/touch.png>
    <link rel="shortcut icon" href=/small.ico><link rel=icon sizes=32x32 href=/lies.png>
    <meta property=og:image content=/social.png><meta name=twitter:image content=/missing.png>`,
  '/app.webmanifest': (_, response) =>
    html(
      response,
      '{"icons":[{"src":"icon.png","sizes":"192x192 512x512"},{"src":5},null]}',
      'application/json',
    ),
  'declared.test/favicon.ico': (_, response) => void response.writeHead(404).end(),
  '/icon.png': image(192, 192),
  '/touch.png': image(180, 180),
  '/lies.png': image(16, 16),
  '/social.png': image(1200, 630),
  '/small.ico': (_, response) => html(response, icoOf([16, 16], [48, 48]), 'image/x-icon'),
  '/favicon.ico': (_, response) => html(response, icoOf([64, 64]), 'image/x-icon'),
  '/many': `<head>${Array.from({ length: 14 }, (_, index) => `<link rel=icon href=/icon.png?${index}>`).join('')}`,
  '/two-hundred-and-sixty': `<head>${Array.from({ length: 260 }, (_, index) => `<link rel=icon href=/icon.png?${index}>`).join('')}`,
  '/written-in': `<link rel=icon href="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>">
    <link rel=icon href="data:image/png;base64,${'A'.repeat(2_000_000)}">`,
  '/svg': '<link rel=icon type=image/svg+xml href=/logo.svg><link rel=icon href=/lies.png>',
  '/logo.svg': (_, response) =>
    html(response, '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'),
  '/forbidden': `<link rel=manifest href=http://127.0.0.1/m.json><link rel=icon href=http://127.0.0.1:80/i.png>
    <link rel=icon href=/to-loopback><link rel=icon href="file:///etc/passwd"><link rel=icon href=/page>`,
  '/to-loopback': (_, response) =>
    void response.writeHead(302, { Location: 'http://[::1]/' }).end(),
  '/page': '<title>no image</title>',
  '/404': (_, response) =>
    void response.writeHead(404, { 'Content-Type': 'text/html' }).end('<title>Not found</title>'),
  'bare.test/': '<title>bare</title>',
  'bare.test/favicon.ico': (_, response) => void response.writeHead(404).end(),
  '/proxy/bare.test': image(40, 40),
};

let service: WebService;
beforeAll(async () => {
  service = await openWebService(['site.test', 'bare.test', 'declared.test'], ANSWERS, {});
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

const logo = (url: string, rehost?: boolean) => service.run('fetch_site_logo', { url, rehost });
const paths = (icons: { url: string }[]) => icons.map(({ url }) => new URL(url).pathname);

describe('fetch_site_logo', () => {
  it('ranks icons from manifest, touch icons, favicons, social images and the default path by size', async () => {
    const { status, body } = await logo('site.test');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      url: 'https://site.test',
      finalUrl: 'https://site.test/',
      title: 'A site',
      lang: 'en',
      cached: false,
      logo: {
        url: 'https://site.test/icon.png',
        source: 'manifest',
        declaredSizes: '192x192 512x512',
        width: 192,
      },
    });
    expect(paths(body.icons)).toEqual([
      ...[
        '/icon.png',
        '/touch.png',
        '/favicon.ico',
        '/small.ico',
        '/lies.png',
        '/social.png',
        '/missing.png',
      ],
    ]);
    expect(body.icons.map(({ source }: { source: string }) => source)).toEqual([
      ...[
        'manifest',
        'touch-icon',
        'default-path',
        'favicon',
        'favicon',
        'social-image',
        'social-image',
      ],
    ]);
    expect(body.icons[1]).toMatchObject({
      declaredSizes: '180x180',
      width: 180,
      height: 180,
      format: 'png',
    });
    expect(body.icons[1].bytes).toBeGreaterThan(100);
    expect(body.icons[3]).toMatchObject({ format: 'ico', width: 48, height: 48 });
    expect(body.icons[4]).toMatchObject({ declaredSizes: '32x32', width: 16, height: 16 });
  });

  it('lists candidates that failed to load last, with their errors', async () => {
    const { body } = await logo('http://site.test/?errors');
    expect(body.icons.at(-1)).toEqual({
      url: 'http://site.test/missing.png',
      source: 'social-image',
      error: 'The URL returned status 404.',
    });
  });

  it('copies the best 3 to our storage, bytes unchanged', async () => {
    const { body } = await logo('http://site.test/?copies');
    const copied = body.icons.filter((icon: { rehostedUrl?: string }) => icon.rehostedUrl);
    expect(paths(copied)).toEqual(['/icon.png', '/touch.png', '/favicon.ico']);
    expect(body.logo.rehostedUrl).toBe(copied[0].rehostedUrl);
    const response = await fetch(copied[0].rehostedUrl);
    expect(response.headers.get('Content-Type')).toBe('image/png');
    expect((await response.bytes()).byteLength).toBe(body.logo.bytes);
  });

  it('copies nothing if rehost is false, and caches the two settings separately', async () => {
    const url = 'http://site.test/?rehost';
    const without = await logo(url, false);
    expect(JSON.stringify(without.body)).not.toContain('rehostedUrl');
    const withCopies = await logo(url);
    expect(withCopies.body).toMatchObject({
      cached: false,
      logo: { rehostedUrl: expect.anything() },
    });
    expect((await logo(url, true)).body).toEqual({ ...withCopies.body, cached: true });
    expect((await logo(url, false)).body).toEqual({ ...without.body, cached: true });
  });

  it('lists up to 200 candidates including the default path, and reports how many more exist', async () => {
    const { body, headers } = await logo('http://site.test/two-hundred-and-sixty');
    expect(body.icons).toHaveLength(200);
    expect(paths(body.icons)).toContain('/favicon.ico');
    expect(headers.get('X-Tool-Warnings')).toContain('icons: the page declares 61 more');
    expect(
      (await logo('http://site.test/two-hundred-and-sixty')).headers.get('X-Tool-Warnings'),
    ).toContain('61');
  });

  it('accepts an icon in a data: URL, and does not return a large one inline', async () => {
    const { body, headers } = await logo('http://site.test/written-in');
    expect(body.logo).toMatchObject({ format: 'svg', rehostedUrl: expect.anything() });
    expect(headers.get('X-Tool-Warnings')).toMatch(/missing/);
    expect(JSON.stringify(body).length).toBeLessThan(10_000);
  });

  it('downloads only the first 10 candidates, and lists all', async () => {
    const before = service.upstream.seen.length;
    const { body } = await logo('http://site.test/many');
    expect(service.upstream.seen.length - before).toBe(11);
    expect(body.icons).toHaveLength(15);
    expect(body.icons.filter((icon: { bytes?: number }) => icon.bytes)).toHaveLength(10);
  });

  it('ranks an SVG above small icons, without width and height', async () => {
    const { body } = await logo('http://site.test/svg');
    expect(body.logo).toMatchObject({ url: 'http://site.test/logo.svg', format: 'svg' });
    expect(body.logo).not.toHaveProperty('width');
    const served = await fetch(body.logo.rehostedUrl);
    expect(served.headers.get('Content-Disposition')).toMatch(/^attachment|^inline/);
    expect(served.headers.get('Content-Security-Policy')).toMatch(/sandbox/);
  });

  it('fetches neither icon nor manifest from a private address', async () => {
    const { body } = await logo('http://site.test/forbidden');
    expect(body.icons.filter(({ error }: { error?: string }) => error)).toMatchObject([
      { url: 'http://127.0.0.1/i.png', error: expect.stringMatching(/is refused/) },
      { url: 'http://site.test/to-loopback', error: expect.stringMatching(/is refused/) },
      { url: 'http://site.test/page', error: expect.stringMatching(/Not an image/) },
    ]);
    expect(body.logo).toMatchObject({ source: 'default-path' });
    expect(JSON.stringify(body)).not.toContain('passwd');
  });

  it('returns no logo if no candidate is usable', async () => {
    const { status, body } = await logo('bare.test');
    expect([status, body.logo, body.icons]).toEqual([
      200,
      undefined,
      [{ url: 'https://bare.test/favicon.ico', source: 'default-path', error: expect.any(String) }],
    ]);
  });

  it('requests the configured favicon service only if nothing can be fetched', async () => {
    const other = await openWebService(['site.test', 'bare.test', 'icons.test'], ANSWERS, {
      FAVICON_PROXY_URL: 'https://icons.test/proxy/{host}',
    });
    try {
      const found = await other.run('fetch_site_logo', { url: 'bare.test' });
      expect(found.body.logo).toMatchObject({
        source: 'favicon-proxy',
        width: 40,
        rehostedUrl: expect.anything(),
      });
      expect(found.body.icons).toHaveLength(2);
      const enough = await other.run('fetch_site_logo', { url: 'site.test' });
      expect(JSON.stringify(enough.body)).not.toContain('favicon-proxy');
    } finally {
      await other.close();
    }
  });

  it('ignores the status of the page, and fails like fetch_page_metadata', async () => {
    expect((await logo('http://site.test/404')).body).toMatchObject({
      title: 'Not found',
      logo: {},
    });
    expect((await logo('http://10.0.0.1/')).status).toBe(400);
    expect((await logo('http://site.test/icon.png')).status).toBe(400);
    expect((await logo('http://nowhere.invalid/')).status).toBe(502);
    expect((await logo('')).body).toMatchObject({ param: 'url' });
  });
});
