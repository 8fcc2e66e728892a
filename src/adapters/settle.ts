/** Waiting until a page has come to rest: nothing asked for, no other page on its way; not for ever. */
import type { BrowserGuard } from './browser-guard.ts';
import { awaitsPictures } from './page-scripts.ts';
import type { ShownDocument, ShownDocuments } from './shown-document.ts';

const QUIET_MS = 60;
const STEP_MS = 10;
const SETTLE_MS = 3000;
/** A page that goes on to another one which does not come is taken as it is after this. */
const LEAVE_MS = 20_000;
/** Pictures that will be seen are waited for as long as the guard waits for an answer. */
const PICTURES_MS = 13_000;
const PICTURES_STEP_MS = 100;

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
  while ((isLeaving() && mayWait(LEAVE_MS)) || (guard.quietMs < QUIET_MS && mayWait(SETTLE_MS)))
    await document.during(scheduler.wait(STEP_MS));
  while (
    guard.quietMs < QUIET_MS &&
    mayWait(PICTURES_MS) &&
    (await document.evaluate(awaitsPictures(height)))
  )
    await document.during(scheduler.wait(PICTURES_STEP_MS));
}
