/** Takes several wants together: all of them, or none. */

import type { Ask, Standing, Verdict } from '../core/counters.ts';
import { badRequest, type ToolError, unavailable } from '../core/errors.ts';
import type { RememberingCounters } from './remembering-counters.ts';
import type { Want } from './wants.ts';

/** A refusal by a limit, with the headers that tell of it. */
export class Refusal {
  readonly error: ToolError;
  readonly headers: Record<string, string>;

  constructor(error: ToolError, headers: Record<string, string>) {
    this.error = error;
    this.headers = headers;
  }
}

/** Rethrows an error. Of a Refusal it throws the error within, after it passed the headers to `carry`. */
export const rethrow =
  (carry: (headers: Record<string, string>) => void) =>
  (thrown: unknown): never => {
    if (!(thrown instanceof Refusal)) throw thrown;
    carry(thrown.headers);
    throw thrown.error;
  };

interface Taken {
  subject: string;
  wants: readonly Want[];
  verdict: Verdict;
}

/**
 * Reserves subject by subject, in the fixed order of their names. Where one refuses, the units of the earlier ones are
 * released and a Refusal is thrown. ADR 7 describes what happens when the counters cannot be reached.
 * @returns the headers that tell the caller what is left
 */
export async function reserve(
  counters: RememberingCounters,
  wants: readonly Want[],
): Promise<Record<string, string>> {
  refuseSpent(counters, wants);
  const taken: Taken[] = [];
  try {
    for (const [subject, group] of bySubject(wants)) {
      const verdict = await counters.take(subject, asksOf(group));
      if (!verdict.allowed) {
        await Promise.all(taken.map((part) => release(counters, part)));
        throw refusalOf(group, verdict);
      }
      taken.push({ subject, wants: group, verdict });
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    // What was taken of the others stays taken: they may be out of reach too.
    if (!wants.some(({ own }) => own)) return {};
    throw unavailable('Calls cannot be counted just now. Try again in a moment.', 5, error);
  }
  return limitHeaders(
    taken.flatMap(({ wants }) => asksOf(wants)),
    taken.flatMap(({ verdict }) => verdict.standings),
    taken.at(-1)!.verdict.at,
  );
}

/** Throws a Refusal if one of the limits is known to be spent; does not ask the counters. */
export function refuseSpent(counters: RememberingCounters, wants: readonly Want[]): void {
  const refusing: Want[] = [];
  const verdict: Verdict = { allowed: false, at: counters.now, standings: [] };
  for (const want of wants) {
    const standing = counters.spent(want.subject, want.ask);
    if (!standing) continue;
    refusing.push(want);
    verdict.standings.push(standing);
  }
  if (refusing.length > 0) throw refusalOf(refusing, verdict);
}

/** Wants of the same policy add up (a chain that runs a tool twice). */
export function bySubject(wants: readonly Want[]): [string, Want[]][] {
  if (wants.length === 1) return [[wants[0]!.subject, [wants[0]!]]];
  const groups = new Map<string, Map<string, Want>>();
  for (const want of wants) {
    const group = groups.get(want.subject) ?? new Map<string, Want>();
    groups.set(want.subject, group);
    const same = group.get(want.ask.policy);
    const cost = (same?.ask.cost ?? 0) + want.ask.cost;
    group.set(want.ask.policy, { ...want, ask: { ...want.ask, cost } });
  }
  return [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([subject, group]) => [subject, [...group.values()]]);
}

export const asksOf = (wants: readonly Want[]): Ask[] => wants.map(({ ask }) => ask);

async function release(
  counters: RememberingCounters,
  { subject, wants, verdict }: Taken,
): Promise<void> {
  try {
    await counters.release(subject, asksOf(wants), verdict.at);
  } catch (error) {
    // The units stay taken for their window: no reason to fail the call for.
    console.error(JSON.stringify({ event: 'units-not-released', cause: String(error) }));
  }
}

/** Of several that refuse, the one that lasts longest: before that no call passes. */
function refusalOf(group: readonly Want[], { standings, at }: Verdict): Refusal {
  let last = -1;
  for (let i = 0; i < group.length; i++) {
    if (!standings[i]!.refuses) continue;
    if (last < 0 || standings[i]!.resetAt > standings[last]!.resetAt) last = i;
  }
  const want = group[last]!;
  const standing = standings[last]!;
  const { per, cost, limit, policy } = want.ask;
  if (per === 'window' && cost > limit) {
    const error = badRequest(
      `This call counts ${cost} times by the limit "${policy}", which lets ${limit} through at a time: it can never pass. Divide it.`,
    );
    return new Refusal(error, limitHeaders([want.ask], [standing], at));
  }
  const retryAfter = Math.max(1, Math.ceil((standing.resetAt - at) / 1000));
  return new Refusal(want.refusal(standing, retryAfter), limitHeaders([want.ask], [standing], at));
}

/**
 * What is left of the policy that is closest to running out (draft-ietf-httpapi-ratelimit-headers; X-RateLimit-* as
 * GitHub sends them).
 */
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
