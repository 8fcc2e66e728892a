/** The media port over HTTP: one request an operation; a manifest, then the files' bytes, one after the other. */
import { ERROR_CODES, type ErrorCode, ToolError, unavailable } from '../core/errors.ts';
import type { InputFile } from '../core/input-file.ts';
import type { MediaPort, MediaResult } from '../core/ports.ts';

/** Sends a request to the media worker, wherever it runs. */
export type SendToMedia = (path: string, init: RequestInit) => Promise<Response>;

const RETRY_SECONDS = 5;
/** The worker ends an operation after 120 seconds by itself; a worker that does not answer then is gone. */
const TIME_LIMIT_MS = 150_000;
/** Statuses that speak of our own request to the worker, never of the caller's. */
const OUR_FAULT = [401, 403, 404, 405];
/** Statuses that speak of a far side that a caller named: nothing to log. */
const FAR_SIDE = [502, 504];

export class MediaClient implements MediaPort {
  readonly #send: SendToMedia;
  readonly #secret: string;

  constructor(send: SendToMedia, secret: string) {
    this.#send = send;
    this.#secret = secret;
  }

  async run(
    operation: string,
    params: Record<string, unknown>,
    files: readonly InputFile[],
    signal: AbortSignal,
  ): Promise<MediaResult> {
    const manifest = new TextEncoder().encode(
      JSON.stringify({
        params,
        files: files.map(({ name, size }) => ({ name, size })),
      }),
    );
    const total = files.reduce((sum, { size }) => sum + size, manifest.byteLength);
    const { readable, writable } = new FixedLengthStream(total);
    // A file that cannot be read breaks the request off, which the worker answers or the send below throws.
    sendAll(manifest, files, writable).catch((error) => writable.abort(error).catch(() => {}));
    let response: Response;
    try {
      response = await this.#send(`/operations/${operation}`, {
        method: 'POST',
        body: readable,
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]),
        headers: {
          'X-Media-Secret': this.#secret,
          'X-Manifest-Length': String(manifest.byteLength),
          'Content-Length': String(total),
        },
      });
    } catch (error) {
      signal.throwIfAborted();
      throw notAnswering(error);
    }
    if (!response.ok) throw await toError(response);
    if (!response.body) throw new Error('the media worker answered without a body');
    const meta = decodeMeta(response.headers.get('X-Media-Meta'));
    return {
      body: response.body,
      contentType: response.headers.get('Content-Type') ?? 'application/octet-stream',
      size: meta.size as number | undefined,
      meta,
    };
  }
}

/** 503: the worker is absent, saturated or gone. */
export const notAnswering = (cause: unknown) =>
  unavailable(
    'The part of the service that does this work is not answering. Try again in a moment.',
    RETRY_SECONDS,
    cause,
  );

async function sendAll(
  manifest: Uint8Array,
  files: readonly InputFile[],
  writable: WritableStream<Uint8Array>,
): Promise<void> {
  const writer = writable.getWriter();
  await writer.write(manifest);
  writer.releaseLock();
  for (const file of files) {
    await (await file.stream()).pipeTo(writable, { preventClose: true });
  }
  await writable.close();
}

/** What an answer of the worker that is no success says. */
export async function toError(response: Response): Promise<Error> {
  const body = (await response.json().catch(() => null)) as Record<string, unknown> | null;
  const reason = new Error(`the media worker answered ${response.status}: ${body?.error}`);
  if (
    !body ||
    OUR_FAULT.includes(response.status) ||
    !ERROR_CODES.includes(body.code as ErrorCode)
  ) {
    return notAnswering(reason);
  }
  return new ToolError(body.code as ErrorCode, String(body.error), {
    status: response.status,
    param: body.param as string | undefined,
    retryAfter: body.retryAfter as number | undefined,
    extra: body.extra as Record<string, unknown> | undefined,
    cause: FAR_SIDE.includes(response.status) ? undefined : reason,
  });
}

function decodeMeta(header: string | null): Record<string, unknown> {
  if (!header) return {};
  const bytes = Uint8Array.fromBase64(header, { alphabet: 'base64url' });
  return JSON.parse(new TextDecoder().decode(bytes));
}
