/**
 * Defines the general limits. Each applies to one kind of request (api.md, General rate limits; decisions.md, Limits).
 */
import type { Limit } from '../core/limits.ts';

type Rate = Pick<Limit, 'calls' | 'per'>;

/** Formats a rate as `35 an hour`. */
export const rateText = ({ calls, per }: Rate): string =>
  `${calls} ${per === 'hour' ? 'an' : 'a'} ${per}`;

interface GeneralRates {
  /** The name of the counted unit in messages. */
  units: string;
  anonymous: Rate;
  /**
   * The limit for identified callers. A call with an API key is counted by key, and a call from a signed-in browser by
   * account.
   */
  known: Rate;
}

const everyone = (units: string, rate: Rate): GeneralRates => ({
  units,
  anonymous: rate,
  known: rate,
});
const TWO_A_SECOND: Rate = { calls: 120, per: 'minute' };

export const GENERAL_LIMITS = {
  catalogue: {
    units: 'tool catalogue requests',
    anonymous: { calls: 140, per: 'hour' },
    known: { calls: 60, per: 'minute' },
  },
  execution: {
    units: 'tool executions',
    anonymous: { calls: 35, per: 'hour' },
    known: { calls: 60, per: 'minute' },
  },
  mcp: {
    units: 'MCP requests',
    anonymous: { calls: 30, per: 'minute' },
    known: { calls: 120, per: 'minute' },
  },
  search: {
    units: 'searches',
    anonymous: { calls: 25, per: 'hour' },
    known: { calls: 300, per: 'hour' },
  },
  // Visitors of /search send many queries in a row, and no program needs the page.
  siteSearch: everyone('searches', { calls: 30, per: 'minute' }),
  content: everyone('content requests', TWO_A_SECOND),
  chain: everyone('chains', { calls: 12, per: 'minute' }),
  jobs: everyone('job requests', TWO_A_SECOND),
  uploads: everyone('uploads', TWO_A_SECOND),
  usage: everyone('usage requests', TWO_A_SECOND),
  files: everyone('stored file requests', TWO_A_SECOND),
} as const satisfies Record<string, GeneralRates>;

export type GeneralLimit = keyof typeof GENERAL_LIMITS;
