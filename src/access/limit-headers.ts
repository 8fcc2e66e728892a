/** The headers that tell a caller what is left (draft-ietf-httpapi-ratelimit-headers; X-RateLimit-* as GitHub's). */
import type { Ask, Standing } from '../core/counters.ts';

/** Of several policies the one closest to running out. */
export function limitHeaders(
  asks: readonly Ask[],
  standings: readonly Standing[],
  now: number,
): Record<string, string> {
  let closest = -1;
  for (let i = 0; i < asks.length; i++) {
    if (closest < 0 || isCloser(standings[i]!, standings[closest]!)) closest = i;
  }
  if (closest < 0) return {};
  const { policy, limit, seconds } = asks[closest]!;
  const { remaining, resetAt, refuses } = standings[closest]!;
  const left = Math.max(0, Math.ceil((resetAt - now) / 1000));
  // The millisecond after a window is told to those who wait for it only.
  const wait = refuses ? left : Math.min(left, seconds);
  return {
    'RateLimit-Policy': `"${policy}";q=${limit};w=${seconds}`,
    RateLimit: `"${policy}";r=${remaining};t=${wait}`,
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(resetAt / 1000)),
  };
}

function isCloser(one: Standing, other: Standing): boolean {
  if (one.refuses !== other.refuses) return one.refuses;
  return one.remaining < other.remaining;
}
