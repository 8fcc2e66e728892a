/**
 * Compares the first views of the site's pages with those of a plain HTML page, and the request rate of its pages with
 * that of a bare Hono route.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWorker } from '../../scripts/worker.ts';
import { openBrowser } from '../support/chromium.ts';
import { startTestWorker } from '../support/test-worker.ts';
import { type FirstView, firstView } from './first-view.ts';
import { BARE_WORKER, SETTINGS } from './rate.ts';
import { atLeast, atMost, median, type Row } from './row.ts';
import { wrk } from './wrk.ts';

const PATHS = ['/', '/tools/compress_image'];
/** The maximum size of a first view in KB, excluding fonts, which are loaded after it. */
const MAX_KB: Record<string, number> = { '/': 70, '/tools/compress_image': 60 };
const VIEWS = 15;
const ROUNDS = 5;
const LOAD = { connections: 16, seconds: 2 };
const MAX_BLOCKING_MS = 50;

export async function siteRows(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tools-site-bench-'));
  const site = await startWorker({ ...SETTINGS, RATE_LIMITS: 'off' }, join(folder, 'site'));
  const bare = await startTestWorker(BARE_WORKER, join(folder, 'bundle'));
  try {
    const bareUrl = new URL('/page', bare.url);
    const urls = [bareUrl, ...PATHS.map((path) => new URL(path, site.url))];
    const [bareViews, ...views] = await viewAlternately(urls);
    const [bareRate, ...rates] = await rateAlternately(urls, folder);
    return PATHS.flatMap((path, index) => [
      ...viewRows(path, views[index]!, bareViews!),
      atLeast(`rate of ${path} / bare Hono route`, rates[index]!, bareRate!, 0.5, '/s'),
    ]);
  } finally {
    await Promise.all([site.stop(), bare.stop()]);
    rmSync(folder, { recursive: true });
  }
}

function viewRows(path: string, views: readonly FirstView[], bare: readonly FirstView[]): Row[] {
  const middle = (of: readonly FirstView[], what: keyof FirstView) =>
    median(of.map((view) => view[what]));
  const blocking = middle(views, 'blocking');
  const shift = Math.max(...views.map((view) => view.shift));
  return [
    atMost(
      `bytes of the first view of ${path}`,
      middle(views, 'bytes') / 1000,
      MAX_KB[path]!,
      1,
      'KB',
    ),
    atMost(
      `paint of ${path} / bare page`,
      middle(views, 'paint'),
      middle(bare, 'paint'),
      1.6,
      'ms',
    ),
    {
      name: `blocking of ${path} / bare page`,
      ours: `${blocking.toFixed(0)} ms`,
      theirs: `${middle(bare, 'blocking').toFixed(0)} ms`,
      ratio: '',
      goal: `< ${MAX_BLOCKING_MS}`,
      reached: blocking < MAX_BLOCKING_MS,
    },
    {
      name: `layout shift of ${path}`,
      ours: shift.toFixed(3),
      theirs: '',
      ratio: '',
      goal: '0',
      reached: shift === 0,
    },
  ];
}

/** Views each page in turn, so that other load on the machine affects all pages equally. */
async function viewAlternately(urls: readonly URL[]): Promise<FirstView[][]> {
  const browser = await openBrowser();
  const views: FirstView[][] = urls.map(() => []);
  for (let round = 0; round <= VIEWS; round += 1) {
    for (const [index, url] of urls.entries()) {
      const view = await firstView(browser, url);
      // The first round is a warm-up.
      if (round > 0) views[index]!.push(view);
    }
  }
  await browser.close();
  return views;
}

/** Returns each URL's median number of requests per second, measured with the Accept-Encoding header of a browser. */
async function rateAlternately(urls: readonly URL[], folder: string): Promise<number[]> {
  const rates: number[][] = urls.map(() => []);
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [index, url] of urls.entries()) {
      const { rate } = await wrk(url, null, { folder, ...LOAD, script: ACCEPT });
      if (round > 0) rates[index]!.push(rate);
    }
  }
  return rates.map(median);
}

const ACCEPT = 'wrk.headers["Accept-Encoding"] = "gzip, deflate, br, zstd"';
