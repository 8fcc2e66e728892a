/** The errors of a call that a limit refuses, and the headers that report the limits. */
import type { QuotaRequest, RemainingQuota } from '../core/counters.ts';
import { ToolError } from '../core/errors.ts';

/** Thrown if a limit refuses the call. It contains the response headers. */
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

/** Throws the error that callers see. */
export const rethrow =
  (carry: Carry) =>
  (thrown: unknown): never => {
    throw errorOf(thrown, carry);
  };

/**
 * Returns the headers for the policy that refuses the call or, if none does, for the policy that is closest to its
 * limit (draft-ietf-httpapi-ratelimit-headers; GitHub's X-RateLimit-* headers).
 */
export function limitHeaders(
  quotaRequests: readonly QuotaRequest[],
  remainingQuotas: readonly RemainingQuota[],
  now: number,
): Record<string, string> {
  let closest = -1;
  for (let i = 0; i < quotaRequests.length; i++) {
    if (closest < 0 || isCloser(remainingQuotas[i]!, remainingQuotas[closest]!)) closest = i;
  }
  if (closest < 0) return {};
  const { policy, limit, seconds } = quotaRequests[closest]!;
  const { remaining, resetAt, refuses } = remainingQuotas[closest]!;
  const left = Math.max(0, Math.ceil((resetAt - now) / 1000));
  // The reset may be a millisecond after the end of the window. Only a refused caller needs this exact time.
  const wait = refuses ? left : Math.min(left, seconds);
  return {
    'RateLimit-Policy': `"${policy}";q=${limit};w=${seconds}`,
    RateLimit: `"${policy}";r=${remaining};t=${wait}`,
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(resetAt / 1000)),
  };
}

function isCloser(one: RemainingQuota, other: RemainingQuota): boolean {
  if (one.refuses !== other.refuses) return one.refuses;
  return one.remaining < other.remaining;
}
