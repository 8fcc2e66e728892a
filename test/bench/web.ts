/**
 * Compares page metadata with metascraper, and captures over HTTP with puppeteer in Node. Both use the same Chromium
 * program, which is already running after the first round. The time is measured until the caller has the image. Each
 * program finishes its remaining work before the other one starts.
 */
import { setTimeout } from 'node:timers/promises';

import puppeteer, { type Browser } from 'puppeteer-core';
import { CHROMIUM_PATH } from '../../scripts/chromium-path.ts';
import { openWebService } from '../support/web-service.ts';
import { metadataRows } from './metadata.ts';
import { atMost, median, type Row } from './row.ts';

const ROUNDS = 9;
const MAX_RATIO = 1.3;
/** The pause in milliseconds for work after a response, such as closing the last browser context. */
const PAUSE_MS = 1000;
const PAGE = `<!doctype html><html lang=en><title>A page</title><h1>Hello</h1>${'<p>text '.repeat(500)}`;
/** The page changes after loading. The service waits for such changes, but puppeteer does not. */
const SCRIPTED = `${PAGE}<script>addEventListener('load', () => document.body.append('loaded'))</script>`;
const PATHS = ['/', '/scripted'] as const;

export async function webRows(): Promise<Row[]> {
  return [...(await metadataRows()), ...(await captureRows())];
}

async function captureRows(): Promise<Row[]> {
  const service = await openWebService(['page.test'], { '/': PAGE, '/scripted': SCRIPTED });
  const browser = await puppeteer.launch({
    executablePath: CHROMIUM_PATH,
    args: ['--no-sandbox', '--disable-extensions', '--disable-dev-shm-usage'],
  });
  const times = PATHS.map(() => ({ ours: [] as number[], theirs: [] as number[] }));
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [index, path] of PATHS.entries()) {
        const start = performance.now();
        const ran = await service.run('screenshot_url', {
          url: `http://page.test${path}?${round}`,
        });
        if (ran.status !== 200) throw new Error(ran.body.error);
        const ours = (performance.now() - start) / 1000;
        await setTimeout(PAUSE_MS);
        const address = `http://127.0.0.1:${service.upstream.port}${path}?${round}`;
        const theirs = await drawDirectly(browser, address);
        await setTimeout(PAUSE_MS);
        // The first round is a warm-up.
        if (round === 0) continue;
        times[index]!.ours.push(ours);
        times[index]!.theirs.push(theirs);
      }
    }
  } finally {
    await browser.close();
    await service.close();
  }
  return PATHS.map((path, index) => {
    const { ours, theirs } = times[index]!;
    const name = `screenshot_url${path === '/' ? ', warm' : ' with a script'} / puppeteer in Node`;
    return atMost(name, median(ours), median(theirs), MAX_RATIO, 's');
  });
}

/** Captures the page without the service, immediately after loading. Returns the time in seconds. */
async function drawDirectly(browser: Browser, url: string): Promise<number> {
  const start = performance.now();
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport({ width: 1280, height: 800 });
  await page.goto(url, { waitUntil: 'load' });
  await page.screenshot({ type: 'webp', quality: 90 });
  const taken = (performance.now() - start) / 1000;
  await context.close();
  return taken;
}
