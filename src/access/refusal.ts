/** Defines the errors thrown when a limit refuses a call or the call's key has changed. */
import { ToolError } from '../core/errors.ts';

/** Thrown if a limit refuses the call. It contains the error for the caller and the response headers. */
export class Refusal {
  readonly error: ToolError;
  readonly headers: Record<string, string>;

  constructor(error: ToolError, headers: Record<string, string>) {
    this.error = error;
    this.headers = headers;
  }
}

/** Thrown if the key's record has changed since this isolate read it. In this case no units are taken. */
export class KeyChanged extends ToolError {
  constructor() {
    super('internal', 'This key is being updated. Try again in a moment.', {
      status: 503,
      retryAfter: 1,
    });
  }
}

export type Carry = (headers: Record<string, string>) => void;

/**
 * Returns the error that callers see. If a Refusal was thrown, this is the error that it wraps, and `carry` receives
 * its headers.
 */
export function errorOf(thrown: unknown, carry: Carry): unknown {
  if (!(thrown instanceof Refusal)) return thrown;
  carry(thrown.headers);
  return thrown.error;
}
