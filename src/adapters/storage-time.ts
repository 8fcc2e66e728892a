/** Sets time limits for calls to storage. Writes need one, because Miniflare's R2 may never respond on a full disk. */
import { unavailable } from '../core/errors.ts';

const LIMIT_MS = 20_000;
const RETRY_SECONDS = 30;

/**
 * Returns the result of a call to storage. Throws 503 if the call takes too long.
 * @param upload the upload that the call belongs to. The call also fails if the upload fails.
 */
export async function withTimeLimit<T>(
  call: Promise<T>,
  upload?: Promise<unknown>,
  limitMs = LIMIT_MS,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(unavailable('Storage is not responding. Try again later.', RETRY_SECONDS)),
      limitMs,
    );
  });
  // Prevents an unhandled rejection if the call fails after the time limit.
  call.catch(() => {});
  const failure = upload?.then(() => call);
  failure?.catch(() => {});
  try {
    return await Promise.race(failure ? [call, failure, late] : [call, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Writes a stream into `writable` while `put` reads from the other end. Each chunk has a time limit. */
export async function pump(
  stream: ReadableStream<Uint8Array>,
  writable: WritableStream<Uint8Array>,
  put: Promise<unknown>,
): Promise<void> {
  const writer = writable.getWriter();
  try {
    for await (const chunk of stream) await withTimeLimit(writer.write(chunk), put);
    await withTimeLimit(writer.close(), put);
  } catch (error) {
    writer.abort(error).catch(() => {});
    throw error;
  }
}
