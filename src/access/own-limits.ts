/** Describes the rate limits of individual tools. */

import type { Tool } from '../core/define-tool.ts';
import type { Limit } from '../core/limits.ts';
import { rateText } from './general-limits.ts';

const SCOPES: Record<Limit['by'], string> = {
  ip: 'IP address',
  account: 'account',
  caller: 'key, account or IP address',
};

/** Returns text such as `20 an hour for each IP address`. */
export const ownLimitText = ({ by, ...rate }: Limit): string =>
  `${rateText(rate)} for each ${SCOPES[by]}`;

/** Returns the rates of a tool's limits, such as `10 a minute and 100 a day`, or an empty string if it has none. */
export const ownRatesText = ({ limits }: Tool): string => limits.map(rateText).join(' and ');

/**
 * Returns a tool's limits as a sentence, or an empty string if the tool has none. Callers without an account may have a
 * different limit instead.
 */
export function ownLimitsText({ limits, access }: Tool): string {
  if (limits.length === 0) return '';
  const rates = limits.map(ownLimitText).join(', and ');
  const few =
    typeof access === 'object'
      ? ` with an account, and ${anonymousRate(access.anonymousPerHour)} without one`
      : '';
  return `The tool's own limit is ${rates}${few}, in addition to the shared limits of all tools.`;
}

const anonymousRate = (calls: number): string => ownLimitText({ calls, per: 'hour', by: 'ip' });
