/** Limits the total time of an operation, no matter how many programs it starts. */
import { failed } from '../../src/core/errors.ts';

/**
 * Runs `work` with a signal that aborts when `signal` aborts or the time limit is reached. Throws ToolError 422 if the
 * time limit is reached. Otherwise, rethrows any error from `work`.
 */
export async function withinDeadline<Result>(
  limitMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const deadline = AbortSignal.timeout(limitMs);
  try {
    return await work(AbortSignal.any([signal, deadline]));
  } catch (error) {
    if (!deadline.aborted || signal.aborted) throw error;
    throw failed(
      `The operation did not finish within its limit of ${limitMs / 1000} seconds. Send a smaller input.`,
    );
  }
}
