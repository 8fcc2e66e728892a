/** Tests the response headers of pages, files and images: policies, caching, compression and sizes. */
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { baseUrl } from '../support/service.ts';

const CACHED_PAGES = [
  '/',
  '/docs',
  '/docs/api',
  '/blog',
  '/how-to',
  '/compare',
  '/tools/merge_pdf',
];
const PERSONAL = ['/developers', '/status', '/there-is-no-such-page'];

const open = (path: string, headers: Record<string, string> = {}) =>
  fetch(baseUrl + path, { headers: { Accept: 'text/html', ...headers } });

describe.each([...CACHED_PAGES, ...PERSONAL])('%s', (path) => {
  it('allows no inline scripts and loads nothing from other hosts', async () => {
    const response = await open(path);
    const policy = response.headers.get('Content-Security-Policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('unsafe');
    const html = await response.text();
    expect(html).not.toMatch(/<script(?! type="module" src="\/assets\/)| style="| on\w+="/);
    const styles = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, style]) => style!);
    expect(styles).toHaveLength(1);
    const hash = createHash('sha256').update(styles[0]!).digest('base64');
    expect(policy).toContain(`style-src 'self' 'sha256-${hash}';`);
    const loaded = html.matchAll(/<(?:script|img|iframe|link)[^>]* (?:src|href)="([^"]*)"/g);
    for (const [, address] of loaded) expect(address).toMatch(/^(\/(?!\/)|data:|#)/);
    const [first, ...others] = [...html.matchAll(/<script type="module" src="([^"]*)"/g)];
    expect(first![1]).toMatch(/^\/assets\/site-\w+\.js$/);
    for (const [, path] of others) expect(path).toMatch(/^\/assets\/[\w-]+-\w+\.js$/);
  });
});

it.each([
  ['/blog/programs-that-must-end', '/blog/stopping-programs-that-never-finish'],
  ['/how-to/prepare-pictures-for-a-web-page', '/how-to/prepare-images-for-a-web-page'],
])('%s, an earlier address of a document, redirects to %s', async (earlier, path) => {
  const response = await fetch(baseUrl + earlier, { redirect: 'manual' });
  expect([response.status, response.headers.get('Location')]).toEqual([301, path]);
});

it('/mcp redirects to the guide to MCP', async () => {
  const response = await fetch(`${baseUrl}/mcp`, { redirect: 'manual' });
  expect([response.status, response.headers.get('Location')]).toEqual([302, '/docs/mcp']);
});

describe('a page that is the same for everyone', () => {
  it.each(CACHED_PAGES)(
    '%s is revalidated on each visit and sent again only if it changed',
    async (path) => {
      const first = await open(path);
      expect(first.headers.get('Cache-Control')).toBe('private, no-cache');
      const tag = first.headers.get('ETag')!;
      const again = await open(path, { 'If-None-Match': tag });
      expect([again.status, await again.text()]).toEqual([304, '']);
      expect((await open(path, { 'If-None-Match': '*' })).status).toBe(304);
      const dark = await open(path, { 'If-None-Match': tag, Cookie: 'theme=dark' });
      expect(dark.status).toBe(200);
      expect(await dark.text()).toContain('data-theme="dark"');
    },
  );

  it('is compressed only for clients that accept it', async () => {
    const packed = await open('/', { 'Accept-Encoding': 'br, gzip' });
    expect(packed.headers.get('Content-Encoding')).toBe('gzip');
    const plain = await open('/', { 'Accept-Encoding': 'gzip;q=0' });
    expect(plain.headers.get('Content-Encoding')).toBeNull();
    expect(await packed.text()).toBe(await plain.text());
    expect(packed.headers.get('Vary')).toContain('Accept-Encoding');
  });
});

describe('a personal or live page', () => {
  it.each(PERSONAL)('%s is not stored', async (path) => {
    expect((await open(path)).headers.get('Cache-Control')).toBe('no-store');
  });
});

describe('scripts and styles', () => {
  it('have a content hash in their names and are cached for a year', async () => {
    const html = await (await open('/tools/merge_pdf')).text();
    const paths = html.match(/\/assets\/[\w.-]+/g)!;
    expect(paths.length).toBeGreaterThan(2);
    for (const path of paths) {
      const file = await fetch(baseUrl + path);
      expect([path, file.status]).toEqual([path, 200]);
      expect(path).toMatch(/-[0-9A-Z]{8}\.(js|css|woff2|webp)$/);
      expect(file.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    }
  });

  it.each([
    '/assets/site-AAAAAAAA.js',
    '/assets/..%2Fdocuments-AAAAAAAA.js',
    '/assets/site.css',
    '/assets/pdfjs-1.2.3/openjpeg_nowasm_fallback.js',
    '/assets/pages/site-AAAAAAAA.js',
  ])('%s returns 404 for an unknown hash, version or folder', async (path) => {
    expect((await fetch(baseUrl + path)).status).toBe(404);
  });
});

describe('images', () => {
  it('include the manifest icons in the sizes that it states', async () => {
    const manifest = await (await fetch(`${baseUrl}/manifest.webmanifest`)).json();
    const { icons } = manifest as { icons: { src: string; sizes: string; type: string }[] };
    expect(icons.map(({ sizes }) => sizes)).toEqual(['any', '192x192', '512x512', '512x512']);
    for (const { src, sizes, type } of icons) {
      const response = await fetch(baseUrl + src);
      expect(response.headers.get('Content-Type')).toBe(type);
      const { width, height } = await sharp(await response.bytes()).metadata();
      if (sizes !== 'any') expect(`${width}x${height}`).toBe(sizes);
    }
    const { width } = await sharp(
      await (await fetch(`${baseUrl}/apple-touch-icon.png`)).bytes(),
    ).metadata();
    expect(width).toBe(180);
  });

  it.each(['/', '/tools/merge_pdf', '/docs/mcp', '/blog/exact-limits-at-the-edge'])(
    '%s names a card image of 1200 × 630 that shows its own text',
    async (path) => {
      const html = await (await open(path)).text();
      const address = /property="og:image" content="([^"]+)"/.exec(html)![1]!;
      expect(address).toContain(path === '/' ? '/card.png' : path);
      const png = await (await fetch(address)).bytes();
      const { format, width, height } = await sharp(png).metadata();
      expect([format, width, height]).toEqual(['png', 1200, 630]);
      const { channels } = await sharp(png).stats();
      // The alpha channel is excluded, because it is the same for every pixel.
      expect(Math.min(...channels.slice(0, 3).map(({ stdev }) => stdev))).toBeGreaterThan(10);
    },
  );

  it('return 404 for the card of an unknown page', async () => {
    expect((await fetch(`${baseUrl}/card/blog/words-of-my-own.png`)).status).toBe(404);
  });
});
