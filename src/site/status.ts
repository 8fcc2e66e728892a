/** Computes the state of each part of the service at its last check, in the last 24 hours and in the last 90 days. */
import { DAY_MS, HOUR_MS, periodOf } from '../core/calendar.ts';
import type { PartState } from '../core/health.ts';
import { type HealthCheck, type HealthDay, HISTORY_DAYS } from '../core/health-history.ts';

export interface PartStatus {
  name: string;
  /** The consequence for visitors if the part is not configured. */
  off?: string;
  state: PartState;
  /** The worst state of each of the last 24 hours, oldest first. An hour without a check is null. */
  hours: (PartState | null)[];
  /** The state of each of the last 90 days, oldest first. A day without a check is null. */
  days: (PartState | null)[];
  /** The number of days with checks, out of the last 90 days. */
  measuredDays: number;
  /** The number of checks in the last 90 days. */
  checks: number;
  /** The number of checks in the last 90 days that did not find the part down. */
  passed: number;
}

const HOURS = 24;

/**
 * The parts that visitors see. A part that is not configured is listed only if this affects visitors. Operators see all
 * parts at /health?deep=1.
 */
const PARTS: Record<string, { name: string; off?: string }> = {
  media: { name: 'PDF, image, video and OCR tools' },
  browser: {
    name: 'Screenshots of web pages',
    off: 'This server does not take screenshots.',
  },
  models: {
    name: 'Writing tools and generated images',
    off: 'The operator has not set up a language model. The other tools do not need one.',
  },
  files: { name: 'Stored files' },
  links: { name: 'Short links' },
  documents: { name: 'Documentation and search' },
  jobs: { name: 'Background jobs' },
  accounts: { name: 'Accounts and keys' },
  database: { name: 'Agent uploads and usage figures' },
  limiter: { name: 'Rate limits' },
};

/** All states. If the checks of an hour differ, the hour has the last of their states in this order. */
const ORDER: readonly PartState[] = ['unchecked', 'unconfigured', 'ok', 'degraded', 'down'];

interface History {
  /** The checks, oldest first. */
  checks: readonly HealthCheck[];
  days: readonly HealthDay[];
}

/** Returns the first day with a check in the last 90 days as an ISO date, or undefined without any check. */
export const measuredSince = ({ days }: History): string | undefined =>
  days.map(({ day }) => day).toSorted()[0];

/** Returns the status of each part, or an empty list if there are no checks. */
export function partStatuses({ checks, days }: History, now: number): PartStatus[] {
  const latest = checks.at(-1);
  return Object.entries(PARTS).flatMap(([part, { name, off }]) => {
    const found = latest?.parts.find((other) => other.name === part);
    if (!found || (found.state === 'unconfigured' && !off)) return [];
    const counted = days.filter((day) => day.part === part);
    const sum = (field: 'checks' | 'down') => counted.reduce((all, day) => all + day[field], 0);
    const count = sum('checks');
    return [
      {
        name,
        ...(off && { off }),
        state: found.state,
        hours: hoursOf(part, checks, now),
        days: daysOf(counted, now),
        measuredDays: counted.filter(({ checks: count }) => count > 0).length,
        checks: count,
        passed: count - sum('down'),
      },
    ];
  });
}

function hoursOf(part: string, checks: readonly HealthCheck[], now: number): (PartState | null)[] {
  const hours: (PartState | null)[] = Array.from({ length: HOURS }, () => null);
  for (const { at, parts } of checks) {
    const hour = HOURS - 1 - Math.floor((now - at) / HOUR_MS);
    const state = parts.find(({ name }) => name === part)?.state;
    if (state && hour >= 0 && hour < HOURS) hours[hour] = worse(hours[hour] ?? null, state);
  }
  return hours;
}

const worse = (one: PartState | null, other: PartState): PartState =>
  one && ORDER.indexOf(one) > ORDER.indexOf(other) ? one : other;

function daysOf(counted: readonly HealthDay[], now: number): (PartState | null)[] {
  return Array.from({ length: HISTORY_DAYS }, (_, index) => {
    const { name } = periodOf('day', now - (HISTORY_DAYS - 1 - index) * DAY_MS);
    const day = counted.find((other) => other.day === name);
    return day ? stateOf(day) : null;
  });
}

/** Returns the state of a day. A part is down on a day if more than 1/24 of the day's checks found it down. */
function stateOf({ checks, degraded, down }: HealthDay): PartState {
  if (down > checks / 24) return 'down';
  return down + degraded > 0 ? 'degraded' : 'ok';
}
