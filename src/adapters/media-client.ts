/**
 * Implements the media port over HTTP. Each operation is one request, which consists of a manifest and the bytes of the
 * files.
 */

import { currentCaller, currentRecord, currentRequestId } from '../core/current-request.ts';
import { ERROR_CODES, type ErrorCode, ToolError, unavailable } from '../core/errors.ts';
import type { InputFile } from '../core/input-file.ts';
import { MEDIA_HEADERS, PROGRESS_TYPE } from '../core/media-headers.ts';
import type { MediaPort, MediaResult } from '../core/ports.ts';
import type { Attempt, SendToMedia } from './media-fleet.ts';
import { readProgress } from './media-progress.ts';
import { opaqueCaller } from './opaque-caller.ts';

const RETRY_SECONDS = 5;
/** The size of the chunks that are read, in bytes. With the default of 4 KiB, reading takes five times as long. */
const CHUNK_BYTES = 64 * 1024;
/**
 * The time limit of a request, in milliseconds. It exceeds the worker's own limits of 30 seconds in the queue and 240
 * seconds of work.
 */
const TIME_LIMIT_MS = 300_000;
/** The statuses that only a bug in this client or a wrong secret can cause. */
const OUR_FAULT = [401, 403, 404, 405];
/**
 * The statuses that are not logged here. Either a named upstream failed, or the worker is busy, which it logs itself.
 */
const NO_FAILURE = [502, 503, 504];

export class MediaClient implements MediaPort {
  readonly #send: SendToMedia;
  readonly #secret: string;
  readonly #countsCallers: boolean;

  /** `countsCallers` indicates whether the worker limits the CPU time of each caller. */
  constructor(send: SendToMedia, secret: string, countsCallers = true) {
    this.#send = send;
    this.#secret = secret;
    this.#countsCallers = countsCallers;
  }

  async run(
    operation: string,
    params: Record<string, unknown>,
    files: readonly InputFile[],
    signal: AbortSignal,
    progress?: (fraction: number, message?: string) => void,
  ): Promise<MediaResult> {
    const caller = this.#countsCallers ? currentCaller() : undefined;
    const opaque = caller && opaqueCaller(caller, this.#secret);
    const manifest = new TextEncoder().encode(
      JSON.stringify({
        params,
        files: files.map(({ name, size }) => ({ name, size })),
      }),
    );
    const total = files.reduce((sum, { size }) => sum + size, manifest.byteLength);
    const started = Date.now();
    const call = currentRecord();
    const sent = this.#send(`/operations/${operation}`, {
      method: 'POST',
      body: (attempt) => openBody(manifest, files, total, attempt),
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]),
      headers: {
        [MEDIA_HEADERS.secret]: this.#secret,
        [MEDIA_HEADERS.manifestLength]: String(manifest.byteLength),
        'Content-Length': String(total),
        ...requestHeaders(),
        ...(opaque && { [MEDIA_HEADERS.caller]: opaque }),
        ...(progress && { [MEDIA_HEADERS.progress]: '1' }),
      },
    });
    const response = await answerOf(sent, signal);
    const waitedMs = waitIn(response.headers.get('Server-Timing'));
    const measure = () => call?.usedMedia(waitedMs, Date.now() - started);
    if (!response.ok) {
      measure();
      throw await errorOfResponse(response);
    }
    if (!response.body) throw new Error('the media worker returned no body');
    if (progress && response.headers.get('Content-Type') === PROGRESS_TYPE) {
      return readProgress(response.body, progress)
        .then(
          (answer) => {
            if ('result' in answer) return answer.result;
            throw toError(Number(answer.error.status), answer.error);
          },
          (error) => answerOf(Promise.reject(error), signal),
        )
        .finally(measure);
    }
    measure();
    const meta = decodeMeta(response.headers.get(MEDIA_HEADERS.meta));
    return {
      body: response.body,
      contentType: response.headers.get('Content-Type') ?? 'application/octet-stream',
      size: meta.size as number | undefined,
      meta,
    };
  }
}

/** Returns the headers that identify the request in the media worker's log. */
export function requestHeaders(): Record<string, string> {
  const trace = currentRecord()?.trace;
  return {
    'X-Request-Id': currentRequestId() ?? '',
    ...(trace && { traceparent: trace.traceparent }),
  };
}

/**
 * Returns the worker's response. Throws 503 if the worker is unreachable. If the caller disconnected, throws the
 * signal's reason.
 */
export const answerOf = <T>(answer: Promise<T>, signal: AbortSignal): Promise<T> =>
  answer.catch((error) => {
    signal.throwIfAborted();
    throw notAnswering(error);
  });

export const errorOfResponse = async (response: Response): Promise<Error> =>
  toError(
    response.status,
    await response.json().catch(() => null),
    response.headers.get(MEDIA_HEADERS.refused) === 'busy',
  );

/** Returns a ToolError unchanged. Converts any other error to 503. */
const notAnswering = (cause: unknown) =>
  cause instanceof ToolError
    ? cause
    : unavailable(
        'The media worker is not responding. Try again in a moment.',
        RETRY_SECONDS,
        cause,
      );

/** Streams the manifest and then the bytes of every file. Each attempt reads the files again. */
function openBody(
  manifest: Uint8Array,
  files: readonly InputFile[],
  total: number,
  attempt: Attempt,
): ReadableStream<Uint8Array> {
  const { readable, writable } = new FixedLengthStream(total);
  const writer = writable.getWriter();
  sendAll(manifest, files, writer, attempt).catch((error) => writer.abort(error).catch(() => {}));
  return readable;
}

async function sendAll(
  manifest: Uint8Array,
  files: readonly InputFile[],
  writer: WritableStreamDefaultWriter<Uint8Array>,
  attempt: Attempt,
): Promise<void> {
  await writer.write(manifest);
  for (const file of files) await sendFile(file, writer, attempt);
  await writer.close();
}

/**
 * Copies a file chunk by chunk. `pipeTo` is not used, because it also reports a closed connection as a failure of the
 * file's stream, so the call could not be repeated on another worker.
 */
async function sendFile(
  file: InputFile,
  writer: WritableStreamDefaultWriter<Uint8Array>,
  { signal, fail }: Attempt,
): Promise<void> {
  const failed = (error: unknown): never => {
    fail(error);
    throw error;
  };
  const reader = (await file.stream().catch(failed)).getReader({ mode: 'byob' });
  const cancel = () => reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener('abort', cancel);
  try {
    for (let buffer = new ArrayBuffer(CHUNK_BYTES); ; ) {
      const { value, done } = await reader.read(new Uint8Array(buffer)).catch(failed);
      signal.throwIfAborted();
      if (done) return;
      await writer.write(value);
      buffer = value.buffer;
    }
  } catch (error) {
    await reader.cancel(error).catch(() => {});
    throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function toError(status: number, answer: unknown, isBusy = false): Error {
  const body = answer as Record<string, unknown> | null;
  const reason = new Error(`the media worker returned ${status}, ${body?.code}`);
  if (!body || OUR_FAULT.includes(status) || !ERROR_CODES.includes(body.code as ErrorCode)) {
    return notAnswering(reason);
  }
  return new ToolError(body.code as ErrorCode, String(body.error), {
    status,
    param: body.param as string | undefined,
    retryAfter: body.retryAfter as number | undefined,
    isBusy,
    extra: body.extra as Record<string, unknown> | undefined,
    ...(!NO_FAILURE.includes(status) && { cause: reason }),
  });
}

/**
 * Returns how long the call waited in the worker's queue, in milliseconds. The value comes from a header such as
 * `Server-Timing: wait;dur=12`.
 */
const waitIn = (timing: string | null): number =>
  Number(/\bwait;dur=(\d+)/.exec(timing ?? '')?.[1] ?? 0);

function decodeMeta(header: string | null): Record<string, unknown> {
  if (!header) return {};
  const bytes = Uint8Array.fromBase64(header, { alphabet: 'base64url' });
  return JSON.parse(new TextDecoder().decode(bytes));
}
