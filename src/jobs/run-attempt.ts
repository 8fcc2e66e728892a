/** Runs one attempt of a job's call in the pipeline. Each attempt has a separate record and time limit. */
import { CallOrigin, CallRecord } from '../core/call-record.ts';
import { toToolError } from '../core/errors.ts';
import type { JobCall } from '../core/jobs.ts';
import { type LargeCall, SMALL_JSON_BYTES } from '../core/large-call.ts';
import { LinkedFiles } from '../execute/linked-files.ts';
import type { Services } from '../services.ts';
import { outOfTime, type State, TIME_LIMIT_MS } from './job-state.ts';
import { type Outcome, runCall } from './run-call.ts';

interface AttemptParts {
  services: Services;
  large: LargeCall;
  cancelled: AbortSignal;
  waitUntil(promise: Promise<unknown>): void;
  progress(fraction: number, message?: string): void;
}

/** Runs an attempt. `stored` is the JobCall as JSON. Throws any error from the call, or 504 after the time limit. */
export async function runAttempt(
  state: State,
  stored: Uint8Array,
  { services, large, cancelled, waitUntil, progress }: AttemptParts,
): Promise<Outcome> {
  const text = new TextDecoder().decode(stored);
  if (text.length > SMALL_JSON_BYTES) await large.begin(text.length);
  const call = JSON.parse(text) as JobCall;
  // The caller may have been blocked while the job was queued. This check also loads the key that is used to hash the
  // caller's name.
  await services.access.refuseBlocked(state.caller);
  const admission = services.access.admission(state.caller, 'execution', () => {});
  const record = recordOf(state, services);
  const limit = AbortSignal.timeout(TIME_LIMIT_MS);
  const signal = AbortSignal.any([cancelled, limit]);
  const linked = new LinkedFiles(services.storage.spoolsOf(state.caller), services.ports.egress);
  try {
    const outcome = await runCall(
      call,
      {
        record,
        caller: state.caller,
        signal: () => signal,
        linked,
        large: () => large,
        spend: (tokens, tool) => waitUntil(admission.spend(tokens, tool)),
        requireTokens: (tool) => admission.requireTokens(tool),
        progress,
        requestId: state.id,
      },
      services.ports,
    );
    if (outcome.thrown !== undefined) record.fail(toToolError(outcome.thrown));
    return outcome;
  } catch (thrown) {
    const error = limit.aborted ? outOfTime() : thrown;
    // A cancelled job is not a service error.
    if (cancelled.aborted) record.abandon();
    else record.fail(toToolError(error));
    throw error;
  } finally {
    record.end();
    await linked.release();
  }
}

/** Creates the record of one attempt. It belongs to the trace of the request that created the job. */
function recordOf({ id, tool, caller, traceparent }: State, { calls }: Services) {
  const headers = new Headers(traceparent === undefined ? {} : { traceparent });
  const record = new CallRecord(new CallOrigin(id, { headers }, calls));
  record.tool = tool;
  record.surface = 'job';
  record.setCaller(caller);
  return record;
}
