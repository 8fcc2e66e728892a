/** Limits the actions of unidentified visitors, who are counted by address. */
import type { Caller } from '../core/caller.ts';
import type { Limit } from '../core/limits.ts';
import { type Charge, ipSubject, rateLimited, windowRequest } from './charges.ts';

interface VisitorLimit extends Pick<Limit, 'calls' | 'per'> {
  units: string;
  advice: string;
}

export const VISITOR_LIMITS = {
  'trial-key': {
    calls: 3,
    per: 'day',
    units: 'trial keys',
    advice: 'Sign in for a permanent key.',
  },
  'sign-in': {
    calls: 30,
    per: 'minute',
    units: 'sign-in attempts',
    advice: 'Wait a moment.',
  },
  'recovery-code': {
    calls: 10,
    per: 'hour',
    units: 'recovery code attempts',
    advice: 'Check the code.',
  },
  report: {
    calls: 5,
    per: 'hour',
    units: 'abuse reports',
    advice: 'To send more reports, contact the operator: see /contact.',
  },
} as const satisfies Record<string, VisitorLimit>;

export type VisitorAction = keyof typeof VISITOR_LIMITS;

export function visitorCharge(action: VisitorAction, caller: Caller): Charge {
  const { calls, per, units, advice } = VISITOR_LIMITS[action];
  return {
    subject: ipSubject(caller),
    quotaRequest: windowRequest(action, { calls, per }, 1),
    refusal: (_, retryAfter) =>
      rateLimited(
        `The limit is ${calls} ${units} per ${per} per IP address. ${advice}`,
        retryAfter,
      ),
    own: true,
  };
}
