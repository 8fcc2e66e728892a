/** A time limit over each call to storage: on a full disk Miniflare's R2 never answers some of them. */
import { unavailable } from '../core/errors.ts';

const LIMIT_MS = 20_000;
const RETRY_SECONDS = 30;

/** What storage answers. Throws 503 where it does not answer in time; `failed` rejects where it has failed meanwhile. */
export async function answered<T>(call: Promise<T>, failed?: Promise<unknown>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(unavailable('Storage does not answer. Try again later.', RETRY_SECONDS)),
      LIMIT_MS,
    );
  });
  // It loses the race, and may fail after it.
  call.catch(() => {});
  const failure = failed?.then(() => call);
  failure?.catch(() => {});
  try {
    return await Promise.race(failure ? [call, failure, late] : [call, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Writes a stream into `writable`, each chunk within the time limit, while `put` reads it on the other side. */
export async function pump(
  stream: ReadableStream<Uint8Array>,
  writable: WritableStream<Uint8Array>,
  put: Promise<unknown>,
): Promise<void> {
  const writer = writable.getWriter();
  try {
    for await (const chunk of stream) await answered(writer.write(chunk), put);
    await answered(writer.close(), put);
  } catch (error) {
    writer.abort(error).catch(() => {});
    throw error;
  }
}
