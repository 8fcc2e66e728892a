/** Connects the run of a call to its REST request. */
import type { Admission } from '../access/admission.ts';
import type { RunOptions } from '../execute/execute.ts';
import type { AppContext } from '../http.ts';

/** Returns the options of a run for the caller of this request. Links are not fetched unless `linked` is added. */
export const runOptionsOf = (c: AppContext, admission: Admission): RunOptions => ({
  caller: admission.caller,
  requestId: c.env.requestId,
  record: c.env.record,
  large: () => c.env.large(admission.caller),
  spend: (tokens, tool) => c.executionCtx.waitUntil(admission.spend(tokens, tool)),
  signal: () => c.env.callerSignal(),
});
