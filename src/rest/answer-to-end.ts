/**
 * Handles an upload to completion, even if the caller disconnects. Otherwise, an unused file could remain in storage.
 */
import type { Admission } from '../access/admission.ts';
import type { GeneralLimit } from '../access/general-limits.ts';
import type { AppContext } from '../http.ts';

export function answerToEnd(
  c: AppContext,
  limit: GeneralLimit,
  work: (admission: Admission) => Promise<Response>,
): Promise<Response> {
  const answered = c.env.answer(limit, work);
  c.executionCtx.waitUntil(answered.catch(() => {}));
  return answered;
}
