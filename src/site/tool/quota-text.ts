/** Describes the remaining quota that the headers of a response report. */

import { durationText } from '../../access/duration-text.ts';
import { GENERAL_LIMITS } from '../../access/general-limits.ts';

const { anonymous, known } = GENERAL_LIMITS.execution;
const WINDOWS: Record<string, string> = {
  60: 'this minute',
  3600: 'this hour',
  86400: 'today',
};

/**
 * Reads RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers). Returns an empty string if calls are not
 * counted.
 *
 * @param ownRates the rates of the tool's own limits, which an account does not raise
 */
export function quotaText(headers: { get(name: string): string | null }, ownRates = ''): string {
  const [, name, remaining, seconds] =
    /^"([^"]+)";r=(\d+);t=(\d+)/.exec(headers.get('RateLimit') ?? '') ?? [];
  const [, limit, window = ''] =
    /;q=(\d+);w=(\d+)/.exec(headers.get('RateLimit-Policy') ?? '') ?? [];
  if (remaining === undefined || limit === undefined) return '';
  const when = WINDOWS[window] ?? 'this month';
  const isFree = name === 'execution' && Number(limit) === anonymous.calls;
  const runs = isFree ? 'free runs' : name === 'chain' ? 'chains' : 'runs';
  const count = (text: string) => Number(text).toLocaleString('en');
  const again = remaining === '0' ? ` More in ${durationText(Number(seconds))}.` : '';
  const stays = ownRates && ` This tool's own limit of ${ownRates} still applies.`;
  const advice = isFree ? ` Sign in for ${known.calls} a ${known.per}.${stays}` : '';
  return `You have ${count(remaining)} of ${count(limit)} ${runs} left ${when}.${again}${advice}`;
}
