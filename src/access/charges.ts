/**
 * Defines the limits that a call is charged against: a general limit, its key's quotas and its tools' own limits.
 */
import type { Caller } from '../core/caller.ts';
import type { QuotaRequest, RemainingQuota } from '../core/counters.ts';
import type { Tool } from '../core/define-tool.ts';
import { ToolError } from '../core/errors.ts';
import type { Limit } from '../core/limits.ts';
import { networkOf } from '../lib/network.ts';
import { knownRate, lackingUnits, reachedLimit, SIGN_IN } from './advice.ts';
import { durationText } from './duration-text.ts';
import { GENERAL_LIMITS, type GeneralLimit } from './general-limits.ts';

export interface Charge {
  /** The subject that is charged, such as `key:…`, `ip:…` or `account:…`. */
  subject: string;
  quotaRequest: QuotaRequest;
  /** Returns the error that the caller gets if this charge refuses the call. */
  refusal(remainingQuota: RemainingQuota, retryAfter: number): ToolError;
  /**
   * Whether the charge refuses calls while the counters cannot be reached. This applies to tools' own limits, model
   * tokens and the actions of visitors.
   */
  own: boolean;
}

const SECONDS = { minute: 60, hour: 3600, day: 86_400 } as const;
const MONTH_SECONDS = 30 * 86_400;

export const ipSubject = (caller: Caller) => `ip:${networkOf(caller.address)}`;
export const keySubject = (id: string) => `key:${id}`;
const accountSubject = (id: string) => `account:${id}`;

/**
 * Returns the subject of the general limits. This is the key or, without a key, the signed-in account or the address.
 */
export function callerSubject(caller: Caller): string {
  if (caller.key) return keySubject(caller.key.id);
  return caller.accountId === undefined ? ipSubject(caller) : accountSubject(caller.accountId);
}

/**
 * Returns the charges for admitting a call. The call is charged against the general limit and the key's daily requests.
 * If the call spends model tokens, the key's monthly tokens are also checked.
 */
export const entryCharges = (
  limit: GeneralLimit,
  caller: Caller,
  cost: number,
  spendsTokens: boolean,
): Charge[] => [
  ...generalCharges(limit, caller, cost),
  // Callers with an exhausted quota may still read their usage.
  ...(limit === 'usage' ? [] : requestCharges(caller, cost)),
  ...(spendsTokens ? tokenCharges(caller) : []),
];

/**
 * Returns the charges for `cost` calls against a general limit. A chain counts as one chain and as `cost`
 * executions.
 */
function generalCharges(limit: GeneralLimit, caller: Caller, cost: number): Charge[] {
  if (limit !== 'chain') return [limitCharge(limit, caller, cost)];
  return [limitCharge('chain', caller, 1), limitCharge('execution', caller, cost)];
}

/** Returns the charges for `cost` more calls in an admitted request. A chain is not counted again. */
export const furtherCharges = (limit: GeneralLimit, caller: Caller, cost: number): Charge[] => [
  limitCharge(limit === 'chain' ? 'execution' : limit, caller, cost),
  ...requestCharges(caller, cost),
];

/** Returns the charge for `cost` units of a general limit. */
export function limitCharge(limit: GeneralLimit, caller: Caller, cost: number): Charge {
  const { units, anonymous, known } = GENERAL_LIMITS[limit];
  const isKnown = caller.key !== undefined || caller.accountId !== undefined;
  const rate: Pick<Limit, 'calls' | 'per'> = isKnown ? known : anonymous;
  const raised = !isKnown && (known as object) !== anonymous;
  return {
    subject: callerSubject(caller),
    quotaRequest: windowRequest(limit, rate, cost),
    refusal: ({ remaining }, retryAfter) => {
      const advice = raised ? ` ${knownRate(known).programs}` : '';
      const reason =
        remaining > 0 ? lackingUnits(units, rate, cost, remaining) : reachedLimit(units, rate);
      return rateLimited(
        `${reason} Try again in ${durationText(retryAfter)}.${advice}`,
        retryAfter,
      );
    },
    own: false,
  };
}

/** Returns the charge for `cost` requests against the key's daily quota, or no charge without a key. */
function requestCharges({ key }: Caller, cost: number): Charge[] {
  if (!key) return [];
  return [
    {
      subject: keySubject(key.id),
      quotaRequest: dailyRequests(key.requestsPerDay, cost),
      refusal: (_, retryAfter) =>
        spent(
          `This call would exceed the key's quota of ${key.requestsPerDay} requests a day. The quota resets at 00:00 UTC.`,
          retryAfter,
        ),
      own: false,
    },
  ];
}

/** Returns a charge of 0 model tokens. It refuses the call only if the key has used up its monthly quota. */
export function tokenCharges({ key }: Caller): Charge[] {
  if (!key) return [];
  return [
    {
      subject: keySubject(key.id),
      quotaRequest: monthlyTokens(key.tokensPerMonth, 0),
      refusal: (_, retryAfter) =>
        spent(
          `This key has used its ${key.tokensPerMonth} model tokens for this month. The quota resets on the 1st at 00:00 UTC.`,
          retryAfter,
        ),
      own: true,
    },
  ];
}

/** Returns a request for `cost` units of a daily quota of `limit` units. */
export const dailyRequests = (limit: number, cost: number): QuotaRequest => ({
  policy: 'requests',
  limit,
  per: 'day',
  seconds: SECONDS.day,
  cost,
});

/** Returns a request for `cost` units of a monthly quota of `limit` model tokens. */
export const monthlyTokens = (limit: number, cost: number): QuotaRequest => ({
  policy: 'tokens',
  limit,
  per: 'month',
  seconds: MONTH_SECONDS,
  cost,
});

/** Returns the tool's own limits. Throws 401 if the tool needs an account and the caller has none. */
export function toolCharges(tool: Tool, caller: Caller): Charge[] {
  const signedIn = caller.accountId !== undefined;
  if (tool.access === 'account' && !signedIn) throw accountNeeded(tool);
  if (typeof tool.access === 'object' && !signedIn) {
    const calls = tool.access.anonymousPerHour;
    return [
      {
        subject: ipSubject(caller),
        quotaRequest: windowRequest(`${tool.name}-anonymous`, { calls, per: 'hour' }, 1),
        refusal: (_, retryAfter) => anonymousSpent(tool, calls, retryAfter),
        own: true,
      },
    ];
  }
  return tool.limits.map((limit) => ({
    subject: subjectOf(limit, caller),
    quotaRequest: windowRequest(policyName(tool, limit), limit, 1),
    refusal: (_, retryAfter) =>
      rateLimited(
        `${tool.name} is limited to ${limit.calls} calls per ${limit.per} ${COUNTED_BY[limit.by]}. Try again in ${durationText(retryAfter)}.`,
        retryAfter,
      ),
    own: true,
  }));
}

const COUNTED_BY = { ip: 'per IP address', account: 'per account', caller: 'per caller' };

function subjectOf(limit: Limit, caller: Caller): string {
  if (limit.by === 'ip') return ipSubject(caller);
  if (limit.by === 'caller') return callerSubject(caller);
  return caller.accountId === undefined ? ipSubject(caller) : accountSubject(caller.accountId);
}

/** Returns the tool's name, followed by the window if the tool has several limits. */
const policyName = (tool: Tool, limit: Limit) =>
  tool.limits.length > 1 ? `${tool.name}-${limit.per}` : tool.name;

export const windowRequest = (
  policy: string,
  rate: Pick<Limit, 'calls' | 'per'>,
  cost: number,
): QuotaRequest => ({
  policy,
  limit: rate.calls,
  per: 'window',
  seconds: SECONDS[rate.per],
  cost,
});

export const rateLimited = (message: string, retryAfter: number) =>
  new ToolError('rate_limited', message, { retryAfter });

const spent = (message: string, retryAfter: number) =>
  new ToolError('quota_exceeded', message, { retryAfter });

const accountNeeded = (tool: Tool) =>
  new ToolError('invalid_key', `${tool.name} needs a signed-in account. ${SIGN_IN.programs}`);

const anonymousSpent = (tool: Tool, calls: number, retryAfter: number) =>
  new ToolError(
    'invalid_key',
    `${tool.name} is limited to ${calls} calls per hour without an account. Try again in ${durationText(retryAfter)}. ${SIGN_IN.programs}`,
    { retryAfter },
  );

/**
 * Limits key guessing to 20 unknown or malformed keys per minute for each address. Revoked and expired keys are not
 * guesses, so they are counted separately.
 */
export function wrongKeyCharge(caller: Caller, policy = 'wrong-keys'): Charge {
  const rate = { calls: 20, per: 'minute' } as const;
  return {
    subject: ipSubject(caller),
    quotaRequest: windowRequest(policy, rate, 1),
    refusal: (_, retryAfter) =>
      rateLimited(
        `This IP address sent more than ${rate.calls} calls with invalid API keys within a minute. Try again in ${durationText(retryAfter)} with a valid key, or call now without a key.`,
        retryAfter,
      ),
    own: false,
  };
}
