/**
 * Waits until a page is stable, which means that no request or navigation is in progress. The wait has a time limit.
 */
import type { BrowserGuard } from './browser-guard.ts';
import { isDrawn, pause } from './page-scripts.ts';
import type { ShownDocument, ShownDocuments } from './shown-document.ts';

/** The time for which a page with scripts must be inactive before it counts as stable, in milliseconds. */
const QUIET_MS = 60;
const STEP_MS = 10;
const SETTLE_MS = 3000;
/**
 * The time limit for waiting while a page is navigating, in milliseconds. After this time, the current page is
 * captured.
 */
const LEAVE_MS = 20_000;
/**
 * The time limit for loading visible images and fonts, in milliseconds. It is slightly longer than the guard's time
 * limit for a response.
 */
const IMAGES_MS = 13_000;
const IMAGES_STEP_MS = 100;

/**
 * Waits until the document is stable. `height` is the height of the captured part of the page, or null for the
 * viewport.
 */
export async function settle(
  documents: ShownDocuments,
  guard: BrowserGuard,
  document: ShownDocument,
  height: number | null,
): Promise<void> {
  const start = Date.now();
  const mayWait = (ms: number) => Date.now() - start < ms;
  const isLeaving = () =>
    !guard.isPageHeld && (guard.isPageOpen || documents.isLeaving(guard.pageAnsweredAt));
  const isStill = async () =>
    !(guard.mayRunScripts || guard.isLoading || isLeaving()) &&
    (await document.evaluate(isDrawn(height))) &&
    !guard.isLoading;
  if (await isStill()) return;
  // The pause runs in the page, because the page's timers fire late on a busy machine.
  await document.during(
    Promise.race([document.evaluate(pause(QUIET_MS)), scheduler.wait(SETTLE_MS)]),
  );
  while ((isLeaving() && mayWait(LEAVE_MS)) || (guard.quietMs < QUIET_MS && mayWait(SETTLE_MS)))
    await document.during(scheduler.wait(STEP_MS));
  while (
    guard.quietMs < QUIET_MS &&
    mayWait(IMAGES_MS) &&
    !(await document.evaluate(isDrawn(height)))
  )
    await document.during(scheduler.wait(IMAGES_STEP_MS));
}
