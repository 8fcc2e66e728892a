/** Describes a job for its caller. */
import { isOver, type State } from './job-state.ts';
import { storedText } from './stored-text.ts';

/** The storage key of the result. */
export const RESULT = 'result';

const encoder = new TextEncoder();
export const utf8 = (text: string) => encoder.encode(text) as Uint8Array<ArrayBuffer>;

export interface Running {
  /** The progress as a number from 0 to 1. */
  progress: number;
  /** The current step, such as `page 2 of 7`. */
  message?: string;
}

/**
 * Returns the job as JSON, in UTF-8 chunks. The stored result is inserted unchanged. The message of `running` is
 * included only while the job is running.
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
  // If the job finished after `state` was read, the result is in the next event.
  const result = isOver(state) && (await storedText(stored, RESULT));
  if (!result || result.byteLength === 0) return [utf8(told)];
  return [utf8(`${told.slice(0, -1)},"result":`), result, utf8('}')];
}
