/** Limits on actions of visitors who are not identified, counted by address. */
import type { Caller } from '../core/caller.ts';
import type { Limit } from '../core/limits.ts';
import { type Charge, ipSubject, limited, windowRequest } from './charges.ts';

interface VisitorLimit extends Pick<Limit, 'calls' | 'per'> {
  units: string;
  advice: string;
}

export const VISITOR_LIMITS = {
  'trial-key': {
    calls: 3,
    per: 'day',
    units: 'trial keys are made',
    advice: 'Sign in for a key that lasts.',
  },
  'sign-in': {
    calls: 30,
    per: 'minute',
    units: 'sign-ins are begun',
    advice: 'Wait a moment.',
  },
  'recovery-code': {
    calls: 10,
    per: 'hour',
    units: 'recovery codes are tried',
    advice: 'Look for the right one meanwhile.',
  },
} as const satisfies Record<string, VisitorLimit>;

export type VisitorAction = keyof typeof VISITOR_LIMITS;

export function visitorCharge(action: VisitorAction, caller: Caller): Charge {
  const { calls, per, units, advice } = VISITOR_LIMITS[action];
  return {
    subject: ipSubject(caller),
    quotaRequest: windowRequest(action, { calls, per }, 1),
    refusal: (_, retryAfter) =>
      limited(`At most ${calls} ${units} per ${per} from one address. ${advice}`, retryAfter),
    own: true,
  };
}
