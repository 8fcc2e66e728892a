/** Records layout shifts after the first paint, as Chromium reports them. */
import type { Page } from 'playwright-core';

/** Recording starts with the next page. */
export const watchShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    new PerformanceObserver((list) => {
      const moved = list.getEntries() as (PerformanceEntry & { sources: { node?: Node }[] })[];
      const nodes = moved.flatMap(({ sources }) => sources.map(({ node }) => node?.nodeName));
      document.documentElement.dataset.moved = `${nodes}`;
    }).observe({ type: 'layout-shift', buffered: true });
  });

/** Returns the names of moved elements, read after the frame of the shift. */
export const movedOn = (page: Page): Promise<string | undefined> =>
  page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)));
    return document.documentElement.dataset.moved;
  });
