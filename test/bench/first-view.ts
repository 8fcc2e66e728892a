/**
 * Measures the first view of a page from Chromium's trace. The CPU is throttled to a quarter of its speed, and each
 * request has the latency of a good network. Without latency, as on loopback, the stylesheet would arrive before the
 * first frame, and the browser would parse the whole page before it paints the header.
 */
import type { Browser, CDPSession } from 'playwright-core';

const THROTTLING = 4;
/** The latency of each request, in milliseconds. */
const LATENCY_MS = 40;
const LONG_TASK_MS = 50;
const VIEWPORT = { width: 1280, height: 800 };

export interface FirstView {
  /** The time from navigation to first contentful paint, in milliseconds. */
  paint: number;
  /**
   * The blocking time after first contentful paint: the excess of each long task over 50 ms, summed in milliseconds.
   */
  blocking: number;
  /** The sum of the layout shift scores. */
  shift: number;
  /**
   * Bytes received over the network, including headers but not fonts, because a page is shown before its fonts arrive.
   */
  bytes: number;
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** The timestamp in microseconds. */
  ts: number;
  /** The CPU time of the thread in microseconds. Other programs do not affect it. */
  tdur?: number;
  args: { data?: { documentLoaderURL?: string; score?: number } };
}

/** Opens a page as a new visitor. */
export async function firstView(browser: Browser, url: URL): Promise<FirstView> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  const count = await countBytes(devTools);
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: THROTTLING });
  await devTools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  await browser.startTracing(page, {
    categories: ['loading', 'toplevel', 'blink.user_timing'],
  });
  await page.goto(url.href, { waitUntil: 'networkidle' });
  await page.waitForFunction('performance.getEntriesByName("first-contentful-paint").length > 0');
  const trace = (await browser.stopTracing()).toString();
  await context.close();
  const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] };
  return { ...readTrace(traceEvents, url), bytes: count() };
}

async function countBytes(devTools: CDPSession): Promise<() => number> {
  await devTools.send('Network.enable');
  let bytes = 0;
  const fonts = new Set<string>();
  devTools.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Font') fonts.add(requestId);
  });
  devTools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (!fonts.has(requestId)) bytes += encodedDataLength;
  });
  return () => bytes;
}

function readTrace(events: readonly TraceEvent[], url: URL): Omit<FirstView, 'bytes'> {
  const start = events.find(
    ({ name, args }) => name === 'navigationStart' && args.data?.documentLoaderURL === url.href,
  );
  const own = events.filter(({ pid }) => pid === start?.pid);
  const paint = own.find(({ name }) => name === 'firstContentfulPaint');
  if (!start || !paint) throw new Error(`Chromium traced no paint of ${url}`);
  let blocking = 0;
  let shift = 0;
  for (const { name, tid, ts, tdur = 0, args } of own) {
    if (name === 'LayoutShift') shift += args.data?.score ?? 0;
    const isTask = name === 'ThreadControllerImpl::RunTask' && tid === start.tid;
    if (isTask && ts >= paint.ts) blocking += Math.max(0, tdur / 1000 - LONG_TASK_MS);
  }
  return { paint: (paint.ts - start.ts) / 1000, blocking, shift };
}
