/** Handles one request for an operation, from its headers to the last byte of the response. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { notFound, toToolError } from '../../src/core/errors.ts';
import { MEDIA_HEADERS } from '../../src/core/media-headers.ts';
import { Answer } from './answer.ts';
import { CORES } from './cores.ts';
import { readCaller } from './cpu-ledger.ts';
import { type Call, withCall } from './current-call.ts';
import { withinDeadline } from './deadline.ts';
import { isLogged, log, requestNames } from './log.ts';
import { OPERATIONS } from './operations/registry.ts';
import { callsInside, QUEUES } from './queues.ts';
import { refused } from './refused.ts';
import { readOperationRequest } from './request-body.ts';
import type { WorkDirectory } from './work-directory.ts';
import { WorkLimit } from './work-limit.ts';

const OPERATION_LIMIT_MS = 120_000;
/** nginx's status for a client that disconnected. */
const CALLER_GONE = 499;

/** Measurements for the log. */
interface Measured {
  /** The time spent in the queue, in milliseconds. */
  waitedMs?: number;
  inputBytes?: number;
  outputBytes?: number;
  /** The CPU time, in seconds, used by the programs and processes that worked on the call. */
  cpuSeconds?: number;
}

/** Runs the operation and sends the response. Never throws. `stop` aborts the operation when the server shuts down. */
export async function handleOperation(
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
  workDirectory: WorkDirectory,
  stop: AbortSignal,
): Promise<void> {
  const started = performance.now();
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort(new Error('the caller disconnected'));
  });
  const signal = AbortSignal.any([gone.signal, stop]);
  const answer = new Answer(response);
  const measured: Measured = {};
  const call: Call = {
    caller: readCaller(request.headersDistinct[MEDIA_HEADERS.caller]?.[0]),
    cpuSeconds: 0,
  };
  let status = 200;
  let cause: unknown;
  try {
    await withCall(call, () => run(name, request, answer, workDirectory, signal, measured, call));
  } catch (thrown) {
    const error = toToolError(await workDirectory.explain(thrown));
    status = gone.signal.aborted ? CALLER_GONE : error.status;
    cause = error.cause;
    answer.error(error);
    // Reads the rest of the request, because a caller reads the response only after it has finished sending.
    request.resume();
  }
  measured.cpuSeconds = Math.round(call.cpuSeconds * 100) / 100;
  if (status < 400 && !isLogged(request)) return;
  log({
    event: 'request',
    // A 503 response from a busy worker is not an error.
    ...(status >= 500 && (status !== 503 || cause !== undefined) && { level: 'error' }),
    ...requestNames(request),
    operation: name,
    status,
    durationMs: Math.round(performance.now() - started),
    ...measured,
    ...(status >= 500 && cause instanceof Error && { cause }),
  });
}

async function run(
  name: string,
  request: IncomingMessage,
  answer: Answer,
  workDirectory: WorkDirectory,
  signal: AbortSignal,
  measured: Measured,
  { caller }: Call,
): Promise<void> {
  const operation = OPERATIONS.get(name);
  if (!operation)
    throw notFound(
      'Unknown operation. Deploy the same version of the Worker and the media worker.',
    );
  requireExpectedLoad(request.headersDistinct[MEDIA_HEADERS.expected]?.[0]);
  const ticket = QUEUES[operation.kind].enter(caller);
  let directory: string | undefined;
  try {
    const own = await workDirectory.forRequest();
    directory = own;
    operation.prepare?.();
    const { params, files } = await readOperationRequest(request, own);
    measured.inputBytes = files.reduce((sum, { size }) => sum + size, 0);
    const arrived = performance.now();
    await ticket.acquire(signal);
    measured.waitedMs = Math.round(performance.now() - arrived);
    answer.waited(measured.waitedMs);
    const listens = request.headers[MEDIA_HEADERS.progress] === '1';
    const result = await withinDeadline(
      operation.timeLimitMs ?? OPERATION_LIMIT_MS,
      signal,
      (limited) =>
        operation.run(params, files, {
          directory: own,
          signal: limited,
          limit: new WorkLimit(measured.inputBytes ?? 0),
          ...(listens && {
            progress: (fraction: number, message?: string) => answer.progress(fraction, message),
          }),
        }),
    );
    measured.outputBytes = result.size;
    await answer.result(result, signal);
  } finally {
    ticket.leave();
    if (directory !== undefined) await workDirectory.remove(directory);
  }
}

/**
 * Throws 503 if no core is free and this worker has more calls than the Worker expected. Another instance may have free
 * capacity.
 */
function requireExpectedLoad(expected: string | undefined): void {
  const calls = callsInside();
  if (expected === undefined || calls < CORES || calls <= Number(expected)) return;
  throw refused('busier', 'This media worker is at capacity. Try a different one.', 1);
}
