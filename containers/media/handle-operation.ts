/** One request for an operation, from its headers to the last byte of its answer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { availableParallelism } from 'node:os';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { notFound, type ToolError, toToolError } from '../../src/core/errors.ts';
import { withinDeadline } from './deadline.ts';
import { log } from './log.ts';
import type { OperationResult, WorkKind } from './operations/operation.ts';
import { OPERATIONS } from './operations/registry.ts';
import { readOperationRequest } from './request-body.ts';
import type { WorkDirectory } from './work-directory.ts';
import { WorkQueue } from './work-queue.ts';

const WAITING_LIMIT = 32;
/** For all that an operation does once its files are here and it is its turn. */
const OPERATION_LIMIT_MS = 120_000;
/** What nginx logs for a caller who went away. */
const CALLER_GONE = 499;

const QUEUES: Record<WorkKind, WorkQueue> = {
  pdf: new WorkQueue(availableParallelism(), WAITING_LIMIT),
  image: new WorkQueue(availableParallelism(), WAITING_LIMIT),
};

/** The error as JSON; `status` says what the Worker is to answer. */
export function sendError(response: ServerResponse, error: ToolError): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const { message, code, status, param, retryAfter, details, extra } = error;
  const body = JSON.stringify({ error: message, code, status, param, retryAfter, details, extra });
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
    ...error.headers,
  });
  response.end(body);
}

async function sendResult(
  response: ServerResponse,
  result: OperationResult,
  signal: AbortSignal,
): Promise<void> {
  // A proxy on the way may drop Content-Length.
  const meta = JSON.stringify({ ...result.meta, size: result.size });
  response.writeHead(200, {
    'Content-Type': result.contentType,
    'Content-Length': result.size,
    'X-Media-Meta': Buffer.from(meta).toString('base64url'),
  });
  await pipeline(Readable.from(result.open(), { objectMode: false }), response, { signal });
}

/** Runs the operation and answers; never throws. `stop` aborts it when the server ends. */
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
    if (!response.writableFinished) gone.abort(new Error('the caller went away'));
  });
  const signal = AbortSignal.any([gone.signal, stop]);
  let status = 200;
  let cause: unknown;
  try {
    await run(name, request, response, workDirectory, signal);
  } catch (thrown) {
    const error = toToolError(thrown);
    status = gone.signal.aborted ? CALLER_GONE : error.status;
    cause = error.cause;
    sendError(response, error);
    // The caller may still be sending: it reads its answer only after that.
    request.resume();
  }
  log({
    event: 'request',
    ...(status >= 500 && { level: 'error' }),
    requestId: request.headers['x-request-id'],
    operation: name,
    status,
    durationMs: Math.round(performance.now() - started),
    ...(status >= 500 && cause instanceof Error && { cause: cause.stack }),
  });
}

async function run(
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
  workDirectory: WorkDirectory,
  signal: AbortSignal,
): Promise<void> {
  const operation = OPERATIONS.get(name);
  if (!operation) throw notFound('The media worker has no operation of this name.');
  const ticket = QUEUES[operation.kind].enter();
  let directory: string | undefined;
  try {
    const own = await workDirectory.forRequest();
    directory = own;
    operation.prepare?.();
    const { params, files } = await readOperationRequest(request, own);
    await ticket.turn(signal);
    const result = await withinDeadline(OPERATION_LIMIT_MS, signal, (limited) =>
      operation.run(params, files, { directory: own, signal: limited }),
    );
    await sendResult(response, result, signal);
  } finally {
    ticket.leave();
    if (directory !== undefined) await workDirectory.remove(directory);
  }
}
