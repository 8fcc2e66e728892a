import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Miniflare } from 'miniflare';
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { offerBrowser } from '../../scripts/browser.ts';
import { cacheFolder } from '../../scripts/cache-folder.ts';
import { bundleTestWorker, openTestWorker } from '../support/test-worker.ts';

const CONFIG = 'test/start/browser-worker/wrangler.toml';
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tools-browser-'));
  bundleTestWorker(CONFIG, folder);
  return () => rmSync(folder, { recursive: true });
});

/** Starts a Worker that renders a page. */
function openWorker(): Miniflare {
  const miniflare = openTestWorker(CONFIG, folder);
  onTestFinished(() => miniflare.dispose());
  return miniflare;
}

it('Miniflare’s browser binding renders a page with Debian’s Chromium', async () => {
  offerBrowser();
  const response = await openWorker().dispatchFetch('http://localhost/');
  expect(await response.json()).toMatchObject({
    version: expect.stringMatching(/Chrom/),
    title: 'by script',
    signature: 'PNG',
  });
});

it('a Chromium that fails to start is not replaced by a download', async () => {
  mkdirSync(cacheFolder(), { recursive: true });
  const cache = mkdtempSync(join(cacheFolder(), 'broken-'));
  onTestFinished(() => rmSync(cache, { recursive: true }));
  vi.stubEnv('TOOLS_CACHE', cache);
  // Nothing listens on this port, which prevents the download of a browser.
  vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:1');
  onTestFinished(() => void vi.unstubAllEnvs());
  offerBrowser();
  const [script] = globSync('browser-*/.wrangler/chrome/*/*/chrome', { cwd: cache }).map((path) =>
    join(cache, path),
  );
  writeFileSync(script!, '#!/bin/sh\nexit 1\n');
  const response = await openWorker().dispatchFetch('http://localhost/');
  expect(response.status).toBe(500);
  expect(existsSync(script!)).toBe(true);
});
