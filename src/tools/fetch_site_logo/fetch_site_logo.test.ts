import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { unlimitedStorage } from '../../../test/support/unlimited-storage.ts';
import { CachedResults } from '../../adapters/cached-results.ts';
import { R2Cache } from '../../adapters/r2-cache.ts';
import { R2Files } from '../../adapters/r2-files.ts';
import { ToolError } from '../../core/errors.ts';
import type { EgressPort, StoragePort } from '../../core/ports.ts';
import { fileExpiry } from '../../lib/file-id.ts';
import { fetchSiteLogo } from './fetch_site_logo.ts';

const results = new CachedResults(new R2Cache(env.FILES, unlimitedStorage));
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';
/** A fake upstream in memory. Every URL except the page's URL returns an image. */
const egress: EgressPort = {
  agent: 'ToolsMetadataBot',
  exchange: async ({ url }) => {
    const page = url.pathname === '/' ? '<link rel=icon href=/logo.svg>' : SVG;
    const { status, headers, body } = new Response(page, {
      headers: { 'Content-Type': 'text/html' },
    });
    return { status, headers, body };
  },
};

/** Storage for a caller who has stored too many bytes today. */
const fullStorage = {
  store: async () => {
    throw new ToolError('rate_limited', 'The quota is used up.');
  },
} as unknown as StoragePort;

const find = async (
  storageUrl: string,
  url = 'https://example.com/',
  storage: StoragePort = new R2Files(env.FILES, storageUrl, unlimitedStorage),
) => {
  const ports = {
    egress,
    results,
    storage,
    favicons: { addressFor: () => undefined, fetch: async () => new Uint8Array() },
  };
  const { value } = await runTool(fetchSiteLogo, { url }, { ports });
  expect(fetchSiteLogo.output?.strict().parse(value)).toEqual(value);
  return value as { logo: { rehostedUrl: string }; cached: boolean };
};

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('fetch_site_logo', () => {
  it('stores IDs of copies, not addresses, since the public address can change', async () => {
    const first = await find('https://one.example');
    const second = await find('https://two.example');
    expect([first.cached, second.cached]).toEqual([false, true]);
    expect(second.logo.rehostedUrl).toBe(first.logo.rehostedUrl.replace('one', 'two'));
  });

  it('returns copies that expire a day after the cached result', async () => {
    const { rehostedUrl } = (await find('https://one.example')).logo;
    const end = fileExpiry(rehostedUrl.split('/')[4]!)!;
    expect(end - Date.now()).toBeGreaterThan(47.9 * 3600 * 1000);
    expect(end - Date.now()).toBeLessThan(48.1 * 3600 * 1000);
  });

  it('caches a result whose icons could not be copied only for a minute', async () => {
    const url = 'https://copied.example/';
    const first = await find('https://one.example', url, fullStorage);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    const second = await find('https://one.example', url);
    expect(first).toMatchObject({ logo: { format: 'svg' }, cached: false });
    expect(first.logo.rehostedUrl).toBeUndefined();
    expect(second).toMatchObject({ logo: { rehostedUrl: expect.anything() }, cached: false });
  });

  it('logs an unexpected error of the storage, but not a full storage', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    await find('https://one.example', 'https://full.example/', fullStorage);
    expect(logged).not.toHaveBeenCalled();
    const store = () => Promise.reject(new TypeError('store is broken'));
    const broken = { store } as unknown as StoragePort;
    const { logo } = await find('https://one.example', 'https://broken.example/', broken);
    expect(logo.rehostedUrl).toBeUndefined();
    expect(logged).toHaveBeenCalledWith(expect.stringContaining('store is broken'));
  });
});
