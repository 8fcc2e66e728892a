/** Describes the rate limits of individual tools. */

import type { Tool } from '../core/define-tool.ts';
import type { Limit } from '../core/limits.ts';
import { rateText } from './surfaces.ts';

const SCOPES: Record<Limit['by'], string> = {
  ip: 'IP address',
  account: 'account',
  caller: 'key or IP address',
};

/** Returns text such as `20 an hour for each IP address`. */
export const ownLimitText = ({ by, ...rate }: Limit): string =>
  `${rateText(rate)} for each ${SCOPES[by]}`;

/** Returns the rates of a tool's limits, such as `10 a minute and 100 a day`, or an empty string if it has none. */
export const ownRatesText = ({ limits }: Tool): string => limits.map(rateText).join(' and ');

/** Returns a tool's limits as a sentence, or an empty string if the tool has none. */
export const ownLimitsText = ({ limits }: Tool): string =>
  limits.length === 0
    ? ''
    : `The tool's own limit is ${limits.map(ownLimitText).join(', and ')}, in addition to the limits of all tools together.`;
