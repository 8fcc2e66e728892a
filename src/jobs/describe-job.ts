/** A job as its callers read it. */
import { isOver, type State } from './job-state.ts';
import { storedText } from './stored-text.ts';

/** The name of the stored result. */
export const RESULT = 'result';

const encoder = new TextEncoder();
export const utf8 = (text: string) => encoder.encode(text) as Uint8Array<ArrayBuffer>;

/** The progress of a running job. */
export interface Running {
  /** From 0 to 1. */
  progress: number;
  /** The current step, such as `page 2 of 7`. */
  message?: string;
}

/**
 * The job as JSON, in UTF-8 pieces. The stored result is inserted verbatim. `running` is included while the job runs.
 */
export async function describeJob(
  state: State,
  running: Running,
  stored: SyncKvStorage,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const { id, tool, status, error, warnings, webhook } = state;
  const told = JSON.stringify({
    id,
    tool,
    status,
    progress: status === 'succeeded' ? 1 : running.progress,
    ...(status === 'running' && running.message && { message: running.message }),
    ...(error && { error }),
    ...(warnings.length > 0 && { warnings }),
    ...(webhook && { webhook: { url: webhook.url, attempts: webhook.attempts } }),
  });
  // The job may have finished since `state` was read. In that case the next event contains the result.
  const result = isOver(state) && (await storedText(stored, RESULT));
  if (!result || result.byteLength === 0) return [utf8(told)];
  return [utf8(`${told.slice(0, -1)},"result":`), result, utf8('}')];
}
