/** Heads read, and pages drawn: the whole request over HTTP against a Chromium that is launched in Node for the same. */

import { readHead } from '../../src/web/html-head.ts';
import { metadataOf } from '../../src/web/page-metadata.ts';
import { openBrowser } from '../support/chromium.ts';
import { openWebService } from '../support/web-service.ts';
import { atMost, median, type Row } from './row.ts';

const ROUNDS = 5;
const MOST = 1.3;
const PAGE = `<!doctype html><html lang=en><title>A page</title><h1>Hello</h1>${'<p>text '.repeat(500)}`;
const HEAD_SECONDS = 2;

export async function webRows(): Promise<Row[]> {
  return [headRow(), await captureRow()];
}

/** Pages of 200 KB a second, already fetched. */
function headRow(): Row {
  const metas = '<meta property="og:image" content="/a.png"><link rel=icon href=/i.png>'.repeat(20);
  const html = `<!doctype html><html><head><title>A page</title>${metas}</head><body>`.padEnd(
    200_000,
    '<p>text ',
  );
  const url = new URL('https://example.com/');
  const end = performance.now() + HEAD_SECONDS * 1000;
  let pages = 0;
  for (; performance.now() < end; pages += 1) metadataOf(readHead(html, url), url.href, url.href);
  return {
    ...atMost('heads of 200 KB pages', pages / HEAD_SECONDS, pages / HEAD_SECONDS, 1, 'pages/s'),
    ...{ theirs: '', ratio: '', goal: '', reached: true },
  };
}

async function captureRow(): Promise<Row> {
  const service = await openWebService(['page.test'], { '/': PAGE });
  const times = { ours: [] as number[], theirs: [] as number[] };
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      const ours = await seconds(async () => {
        const ran = await service.run('screenshot_url', { url: `http://page.test/?${round}` });
        if (ran.status !== 200) throw new Error(ran.body.error);
      });
      const theirs = await seconds(() => drawDirectly(`http://127.0.0.1:${service.far.port}/`));
      // The first round warms up.
      if (round === 0) continue;
      times.ours.push(ours);
      times.theirs.push(theirs);
    }
  } finally {
    await service.close();
  }
  return atMost(
    'screenshot_url / a browser launched in Node',
    median(times.ours),
    median(times.theirs),
    MOST,
    's',
  );
}

async function drawDirectly(url: string): Promise<void> {
  const browser = await openBrowser();
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(url);
  await page.screenshot({ type: 'jpeg' });
  await browser.close();
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}
