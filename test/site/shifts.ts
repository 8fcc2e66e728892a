/** Records the layout shifts that Chromium reports after the first paint. */
import type { Page } from 'playwright-core';

/** Starts recording at the next navigation. */
export const watchShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    new PerformanceObserver((list) => {
      const moved = list.getEntries() as (PerformanceEntry & { sources: { node?: Node }[] })[];
      const nodes = moved.flatMap(({ sources }) => sources.map(({ node }) => node?.nodeName));
      document.documentElement.dataset.moved = `${nodes}`;
    }).observe({ type: 'layout-shift', buffered: true });
  });

/**
 * Returns the names of the elements that moved in the last reported shifts, or undefined if nothing moved. Waits for a
 * frame first, because a shift is reported after its frame.
 */
export const movedOn = (page: Page): Promise<string | undefined> =>
  page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)));
    return document.documentElement.dataset.moved;
  });
