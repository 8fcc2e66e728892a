/** Waiting until a page has come to rest: nothing asked for, no other page on its way; not for ever. */
import type { BrowserGuard } from './browser-guard.ts';
import { isDrawn, pause } from './page-scripts.ts';
import type { ShownDocument, ShownDocuments } from './shown-document.ts';

/** A page that runs scripts may go on, or on to another one, for so long after it has been loaded. */
const QUIET_MS = 60;
const STEP_MS = 10;
const SETTLE_MS = 3000;
/** A page that goes on to another one which does not come is taken as it is after this. */
const LEAVE_MS = 20_000;
/** Images and fonts that will be seen are waited for as long as the guard waits for an answer. */
const IMAGES_MS = 13_000;
const IMAGES_STEP_MS = 100;

/** `height`: how much of the page will be seen, null where it is the viewport. */
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
    !(guard.mayRunScripts || guard.isAsking || isLeaving()) &&
    (await document.evaluate(isDrawn(height))) &&
    !guard.isAsking;
  if (await isStill()) return;
  // By the page's own clock, which runs late on a busy machine: what it meant to do before then, it has done.
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
