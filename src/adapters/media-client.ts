/** The media port over HTTP: one request an operation; a manifest, then the files' bytes, one after the other. */
import { ERROR_CODES, type ErrorCode, ToolError, unavailable } from '../core/errors.ts';
import type { InputFile } from '../core/input-file.ts';
import type { MediaPort, MediaResult } from '../core/ports.ts';

/** Sends a request to the media worker, wherever it runs. */
export type SendToMedia = (path: string, init: RequestInit) => Promise<Response>;

const RETRY_SECONDS = 5;

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
        files: files.map(({ name, size, declaredType }) => ({ name, size, declaredType })),
      }),
    );
    const total = files.reduce((sum, { size }) => sum + size, manifest.byteLength);
    const { readable, writable } = new FixedLengthStream(total);
    const sent = sendAll(manifest, files, writable);
    let response: Response;
    try {
      response = await this.#send(`/operations/${operation}`, {
        method: 'POST',
        body: readable,
        signal,
        headers: {
          'X-Media-Secret': this.#secret,
          'X-Manifest-Length': String(manifest.byteLength),
          'Content-Length': String(total),
        },
      });
    } catch (error) {
      signal.throwIfAborted();
      throw notAnswering(error);
    } finally {
      // A refusal may come before the whole body was read; what is left of it does not matter then.
      sent.catch(() => {});
    }
    if (!response.ok) throw await toError(response);
    if (!response.body) throw new Error('the media worker answered without a body');
    const length = response.headers.get('Content-Length');
    return {
      body: response.body,
      contentType: response.headers.get('Content-Type') ?? 'application/octet-stream',
      size: length === null ? undefined : Number(length),
      meta: decodeMeta(response.headers.get('X-Media-Meta')),
    };
  }
}

const notAnswering = (cause: unknown) =>
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

async function toError(response: Response): Promise<Error> {
  const body = (await response.json().catch(() => null)) as Record<string, unknown> | null;
  if (!body || !ERROR_CODES.includes(body.code as ErrorCode)) {
    return notAnswering(new Error(`the media worker answered ${response.status}`));
  }
  return new ToolError(body.code as ErrorCode, String(body.error), {
    status: response.status,
    param: body.param as string | undefined,
    retryAfter: body.retryAfter as number | undefined,
    extra: body.extra as Record<string, unknown> | undefined,
  });
}

function decodeMeta(header: string | null): Record<string, unknown> {
  if (!header) return {};
  const bytes = Uint8Array.fromBase64(header, { alphabet: 'base64url' });
  return JSON.parse(new TextDecoder().decode(bytes));
}
