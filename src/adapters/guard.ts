/** Turns failures of the platform's bindings into 503. */
import { ToolError, unavailable } from '../core/errors.ts';
import { log } from '../lib/log.ts';
import type { DiskSpace } from './disk-space.ts';

const RETRY_SECONDS = 5;

/** Returns the result of a call to a binding. Throws 503 if the binding fails. */
export type Guard = <T>(call: () => Promise<T>) => Promise<T>;

/**
 * @param name the binding's name in the log and in the message
 * @param isRefusal recognizes an error that the call itself caused, which is thrown unchanged
 */
export function guardOf(
  name: string,
  disk: DiskSpace,
  isRefusal: (text: string) => boolean = () => false,
): Guard {
  return async (call) => {
    try {
      return await call();
    } catch (error) {
      if (error instanceof ToolError || isRefusal(String(error))) throw error;
      // The cause is logged here, because some callers continue without the binding.
      log('error', `${name}-failed`, { cause: error });
      const explained = await disk.explain(error);
      if (explained instanceof ToolError) throw explained;
      throw unavailable(`The ${name} is not responding. Try again in a moment.`, RETRY_SECONDS);
    }
  };
}
