/**
 * Handles an upload to completion, even if the caller disconnects. Otherwise, an unused file could remain in storage.
 */
import type { Admission } from '../access/admission.ts';
import type { Surface } from '../access/surfaces.ts';
import type { AppContext } from '../http.ts';

export function answerToEnd(
  c: AppContext,
  surface: Surface,
  work: (admission: Admission) => Promise<Response>,
): Promise<Response> {
  const answered = c.env.answer(surface, work);
  c.executionCtx.waitUntil(answered.catch(() => {}));
  return answered;
}
