/** Metadata of pages, and pages drawn on a warm browser: over HTTP, against puppeteer in Node on the same Chromium. */

import puppeteer, { type Browser } from 'puppeteer-core';
import { openWebService } from '../support/web-service.ts';
import { metadataRows } from './metadata.ts';
import { atMost, median, type Row } from './row.ts';

const ROUNDS = 9;
const MOST = 1.3;
const PAGE = `<!doctype html><html lang=en><title>A page</title><h1>Hello</h1>${'<p>text '.repeat(500)}`;
const CHROMIUM = '/usr/bin/chromium';

export async function webRows(): Promise<Row[]> {
  return [...(await metadataRows()), await captureRow()];
}

async function captureRow(): Promise<Row> {
  const service = await openWebService(['page.test'], { '/': PAGE });
  const browser = await puppeteer.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-extensions', '--disable-dev-shm-usage'],
  });
  const times = { ours: [] as number[], theirs: [] as number[] };
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      const ours = await seconds(async () => {
        const ran = await service.run('screenshot_url', { url: `http://page.test/?${round}` });
        if (ran.status !== 200) throw new Error(ran.body.error);
      });
      const theirs = await seconds(() =>
        drawDirectly(browser, `http://127.0.0.1:${service.far.port}/?${round}`),
      );
      // The first round warms up.
      if (round === 0) continue;
      times.ours.push(ours);
      times.theirs.push(theirs);
    }
  } finally {
    await browser.close();
    await service.close();
  }
  return atMost(
    'screenshot_url, warm / puppeteer in Node',
    median(times.ours),
    median(times.theirs),
    MOST,
    's',
  );
}

/** The same picture without a service around it: a context of its own, the page loaded, drawn as it stands. */
async function drawDirectly(browser: Browser, url: string): Promise<void> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport({ width: 1280, height: 800 });
  await page.goto(url, { waitUntil: 'load' });
  await page.screenshot({ type: 'webp', quality: 90 });
  await context.close();
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}
