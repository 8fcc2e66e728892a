/** Runs a call as a job and follows its events. */
import { chunksOf } from './chunks.ts';
import { type Connection, cutOffError, type OutgoingRequest, pause } from './connection.ts';
import { resultReader, withFiles } from './tool-file.ts';
import { ToolsError } from './tools-error.ts';

export interface JobProgress {
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';
  /** The progress from 0 to 1. */
  progress: number;
  /** The current step of a running job, such as `page 2 of 7`. */
  message?: string;
}

interface Job extends JobProgress {
  result?: unknown;
  error?: {
    error: string;
    code: ToolsError['code'];
    status: number;
    param?: string;
    requestId?: string;
  };
}

/** Returns the result of the job. If the signal aborts, the job is cancelled. */
export async function runJob(
  connection: Connection,
  target: string,
  request: OutgoingRequest,
  onProgress: (progress: JobProgress) => void,
): Promise<unknown> {
  const headers = { ...request.headers, Prefer: 'respond-async' };
  const read = resultReader(connection);
  const answer = await connection.send(target, { ...request, headers }, async (response) => {
    const location = response.status === 202 && response.headers.get('Location');
    return location ? { location } : { result: await read(response) };
  });
  const { location } = answer;
  if (location === undefined) return answer.result;
  try {
    let job!: Job;
    for await (job of statesOf(connection, location, request.signal)) {
      const { status, progress, message } = job;
      onProgress({ status, progress, ...(message && { message }) });
    }
    if (job.status === 'succeeded') return withFiles(job.result, connection);
    const { error, ...fields } = job.error ?? {
      error: 'The job was cancelled.',
      code: 'tool_failed',
      status: 422,
    };
    throw new ToolsError(error, fields);
  } catch (thrown) {
    if (request.signal?.aborted) {
      await connection.send(location, { method: 'DELETE' }, () => {}).catch(() => {});
    }
    throw thrown;
  }
}

const FIRST_PAUSE_SECONDS = 0.1;
const LONGEST_PAUSE_SECONDS = 5;

/**
 * Yields the states of a job until the job is finished, and reconnects if the connection drops. The first event of each
 * connection repeats the job's state. The pause before reconnecting grows until another event arrives, because a proxy
 * may end a stream after each event.
 */
async function* statesOf(
  connection: Connection,
  location: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Job, void, void> {
  const headers = { Accept: 'text/event-stream' };
  let pauseSeconds = FIRST_PAUSE_SECONDS;
  for (let breaks = 0; ; breaks += 1) {
    let count = 0;
    try {
      const request = { method: 'GET', headers, signal };
      const events = await connection.send(location, request, ({ body }) => body!);
      for await (const job of jobsIn(events)) {
        yield job;
        if (job.status !== 'queued' && job.status !== 'running') return;
        breaks = 0;
        count += 1;
      }
      if (count === 0) throw new Error('the stream has no event');
    } catch (thrown) {
      signal?.throwIfAborted();
      if (thrown instanceof ToolsError) throw thrown;
      if (breaks >= connection.retries) throw cutOffError(thrown);
    }
    if (count > 1) pauseSeconds = FIRST_PAUSE_SECONDS;
    await pause(pauseSeconds, signal);
    pauseSeconds = Math.min(2 * pauseSeconds, LONGEST_PAUSE_SECONDS);
  }
}

/** Yields the jobs in a stream of server-sent events. Each event has one line of data. */
async function* jobsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<Job> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunksOf(body)) {
    text += decoder.decode(chunk, { stream: true });
    const lines = text.split('\n');
    text = lines.pop()!;
    for (const line of lines) {
      if (line.startsWith('data: ')) yield JSON.parse(line.slice(6));
    }
  }
}
