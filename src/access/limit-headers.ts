/** Rate-limit headers (draft-ietf-httpapi-ratelimit-headers; X-RateLimit-* as in GitHub's API). */
import type { QuotaRequest, RemainingQuota } from '../core/counters.ts';

/** Reports the policy that is closest to its limit. */
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
  // Only a refused caller needs the millisecond after the window.
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
