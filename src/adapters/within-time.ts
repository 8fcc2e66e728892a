/** Sets a time limit for work that may ignore its signal. */
import { ModelFailure } from './model-provider.ts';

/**
 * Returns the result of the work. Throws a `timeout` failure after `ms` milliseconds. If the outer signal aborts,
 * throws its reason. In both cases, the signal passed to the work aborts.
 */
export async function withinTime<R>(
  ms: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<R>,
): Promise<R> {
  const controller = new AbortController();
  const { signal } = controller;
  const stop = () => controller.abort(outer.reason);
  outer.addEventListener('abort', stop, { once: true });
  const timer = setTimeout(
    () => controller.abort(new ModelFailure('timeout', `no response within ${Math.round(ms)} ms`)),
    ms,
  );
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    return await Promise.race([work(signal), ended]);
  } catch (error) {
    // The result is no longer needed, so the rest of the work is stopped.
    controller.abort(error);
    throw error;
  } finally {
    clearTimeout(timer);
    outer.removeEventListener('abort', stop);
  }
}
