/** Takes several wants together: all of them, or none. */

import type { Ask, Counters, Verdict } from '../core/counters.ts';
import { badRequest, type ToolError, unavailable } from '../core/errors.ts';
import { limitHeaders } from './limit-headers.ts';
import type { Want } from './wants.ts';

/** What was taken, to be given back where the call turns out to be none. */
export interface Reservation {
  /** Tell the caller what is left. */
  headers: Record<string, string>;
  /** Gives back what tools' own limits took; the general limit keeps its unit. Tells what is left then. */
  releaseOwn(): Promise<Record<string, string>>;
}

/** A refusal by a limit, with the headers that tell of it. */
export class Refusal {
  readonly error: ToolError;
  readonly headers: Record<string, string>;

  constructor(error: ToolError, headers: Record<string, string>) {
    this.error = error;
    this.headers = headers;
  }
}

const NOTHING: Reservation = { headers: {}, releaseOwn: async () => ({}) };

interface Taken {
  subject: string;
  wants: readonly Want[];
  verdict: Verdict;
}

/**
 * Reserves subject by subject, in the fixed order of their names. Where one refuses, what the earlier ones gave is
 * given back, and a Refusal thrown. Where the counters cannot be reached, ADR 7 says what happens.
 */
export async function reserve(counters: Counters, wants: readonly Want[]): Promise<Reservation> {
  const taken: Taken[] = [];
  try {
    const groups = bySubject(wants);
    for (const [subject, group] of groups) {
      const verdict = await counters.take(subject, asksOf(group), groups.length === 1);
      if (!verdict.allowed) {
        await Promise.all(taken.map((part) => release(counters, part, () => true)));
        throw refusalOf(group, verdict);
      }
      taken.push({ subject, wants: group, verdict });
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    // What was taken of the others stays taken: they may be out of reach too.
    if (!wants.some(({ own }) => own)) return NOTHING;
    throw unavailable('Calls cannot be counted just now. Try again in a moment.', 5, error);
  }
  return {
    headers: headersOf(taken),
    releaseOwn: async () =>
      headersOf(await Promise.all(taken.map((part) => release(counters, part, ({ own }) => own)))),
  };
}

const headersOf = (taken: readonly Taken[]) =>
  limitHeaders(
    taken.flatMap(({ wants }) => asksOf(wants)),
    taken.flatMap(({ verdict }) => verdict.standings),
    taken.at(-1)!.verdict.at,
  );

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

/** Gives back what these wants took of one subject; gives what was taken with what is left then. */
async function release(
  counters: Counters,
  taken: Taken,
  which: (want: Want) => boolean,
): Promise<Taken> {
  const { subject, wants, verdict } = taken;
  const given = wants.filter(which);
  if (given.length === 0) return taken;
  try {
    const left = await counters.release(subject, asksOf(given), verdict.at);
    const standings = wants.map(
      (want, index) => left[given.indexOf(want)] ?? verdict.standings[index]!,
    );
    return { ...taken, verdict: { ...verdict, standings } };
  } catch (error) {
    // The units stay taken for their window: no reason to fail the call for.
    console.error(JSON.stringify({ event: 'units-not-released', cause: String(error) }));
    return taken;
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
