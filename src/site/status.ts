/** The state of each part of the service at its last check, and hour by hour in the last 24 hours. */
import { HOUR_MS } from '../core/calendar.ts';
import type { State } from '../core/health.ts';
import type { HealthCheck } from '../core/health-history.ts';

export interface PartStatus {
  name: string;
  state: State;
  /** How long the last check took. */
  ms: number;
  /** The worst state of each of the last 24 hours, oldest first; null for an hour without a check. */
  hours: (State | null)[];
}

export const HOURS = 24;

/** The parts that visitors see; the operator sees all of them at /health?deep=1. */
const NAMES: Record<string, string> = {
  database: 'Database',
  files: 'Files',
  documents: 'Documents and search',
  media: 'Media worker (PDF, images, video, OCR)',
  browser: 'Browser (screenshots)',
  models: 'Language models',
  jobs: 'Jobs',
  limiter: 'Rate limits',
};

/** From the best to the worst. */
const ORDER: readonly State[] = ['unchecked', 'unconfigured', 'ok', 'degraded', 'down'];

/** `checks`: oldest first. Empty if there are none. */
export function partStatuses(checks: readonly HealthCheck[], now: number): PartStatus[] {
  const latest = checks.at(-1);
  return Object.entries(NAMES).flatMap(([part, name]) => {
    const found = latest?.parts.find((other) => other.name === part);
    return found
      ? [{ name, state: found.state, ms: found.ms, hours: hoursOf(part, checks, now) }]
      : [];
  });
}

function hoursOf(part: string, checks: readonly HealthCheck[], now: number): (State | null)[] {
  const hours: (State | null)[] = Array.from({ length: HOURS }, () => null);
  for (const { at, parts } of checks) {
    const hour = HOURS - 1 - Math.floor((now - at) / HOUR_MS);
    const state = parts.find(({ name }) => name === part)?.state;
    if (state && hour >= 0 && hour < HOURS) hours[hour] = worse(hours[hour] ?? null, state);
  }
  return hours;
}

const worse = (one: State | null, other: State): State =>
  one && ORDER.indexOf(one) > ORDER.indexOf(other) ? one : other;
