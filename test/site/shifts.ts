/** What moved on a page after it was painted, as Chromium tells it. */
import type { Page } from 'playwright-core';

/** From the next page on. */
export const watchShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    new PerformanceObserver((list) => {
      const moved = list.getEntries() as (PerformanceEntry & { sources: { node?: Node }[] })[];
      const nodes = moved.flatMap(({ sources }) => sources.map(({ node }) => node?.nodeName));
      document.documentElement.dataset.moved = `${nodes}`;
    }).observe({ type: 'layout-shift', buffered: true });
  });

/** The names of what moved; told after the frame that it happened in. */
export const movedOn = (page: Page): Promise<string | undefined> =>
  page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)));
    return document.documentElement.dataset.moved;
  });
