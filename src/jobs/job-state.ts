/** Defines the stored state of a job, and decides whether a job may be retried. */
import { ToolError, unavailable } from '../core/errors.ts';
import type { JobStatus, NewJob } from '../core/jobs.ts';
import type { Failure } from '../execute/failure.ts';

/** The maximum number of attempts. A job is retried at most twice, and only after an interruption. */
const MAX_ATTEMPTS = 3;
const FIRST_PAUSE_SECONDS = 3;
/**
 * The last attempt must start within this time after the call (in milliseconds), because the job's ID contains the time
 * at which the job is deleted.
 */
const LONGEST_WAIT_MS = 100 * 60_000;
/** The time limit of an attempt, in milliseconds. The platform ends an alarm handler after 15 minutes. */
export const TIME_LIMIT_MS = 14 * 60_000;

export interface State extends Omit<NewJob, 'call'> {
  id: string;
  /** The creation time in milliseconds since the epoch. */
  createdAt: number;
  status: JobStatus;
  attempts: number;
  error?: Failure;
  /** The IDs of the stored files that the result refers to. */
  outputs: string[];
  /** The time at which a finished job is deleted, in milliseconds since the epoch. */
  forgetAt?: number;
  /**
   * The time at which the storage reserved for the job's call and result is released, in milliseconds since the epoch.
   */
  end: number;
  callBytes: number;
  resultBytes: number;
}

/** A new job whose call is compressed. The bytes of the call are reserved until `end`. */
export interface PackedJob extends Omit<NewJob, 'call'> {
  call: Uint8Array<ArrayBuffer>;
  end: number;
}

export const isOver = ({ status }: State): boolean => status !== 'queued' && status !== 'running';

/**
 * Whether the job should be retried. This is true if the service was busy, or if attempts are left and a part of the
 * service was down (503) or an unexpected error occurred. It is false if the next attempt would start too late, because
 * a model provider may ask for a pause of a day.
 */
export function isInterruption(thrown: unknown, state: State, now = Date.now()): boolean {
  const isDown = !(thrown instanceof ToolError) || thrown.status === 503;
  if (!isBusy(thrown) && !(isDown && state.attempts < MAX_ATTEMPTS)) return false;
  return !waitedTooLong(state, now + afterInterruption(state, thrown).seconds * 1000);
}

const isBusy = (thrown: unknown) => thrown instanceof ToolError && thrown.isBusy;

const waitedTooLong = ({ createdAt }: State, now: number) => now - createdAt > LONGEST_WAIT_MS;

/**
 * Returns the state of an interrupted job, and the seconds until its next attempt. An attempt that did not start,
 * because the service was busy, does not count: `refusalOf` limits how long a job waits.
 */
export function afterInterruption(state: State, thrown: unknown) {
  const attempts = isBusy(thrown) ? state.attempts - 1 : state.attempts;
  const pause = FIRST_PAUSE_SECONDS * 4 ** Math.max(0, attempts - 1);
  const seconds = Math.max(pause, (thrown as Partial<ToolError>).retryAfter ?? 0);
  return { state: { ...state, status: 'queued' as const, attempts }, seconds };
}

/** Returns the error of a waiting job that must no longer be started. Returns undefined if the job may start. */
export function refusalOf(state: State, now: number): ToolError | undefined {
  if (state.attempts >= MAX_ATTEMPTS) return interrupted();
  return waitedTooLong(state, now) ? neverStarted() : undefined;
}

const neverStarted = () =>
  unavailable(
    `The job waited too long: each attempt must start within ${LONGEST_WAIT_MS / 60_000} minutes of the call. Send it again later.`,
    600,
  );

const interrupted = () =>
  new ToolError(
    'internal',
    `The job was interrupted ${MAX_ATTEMPTS} times and will not be retried. Send it again, or split it into smaller jobs.`,
    { status: 503, retryAfter: 60 },
  );

export const outOfTime = () =>
  new ToolError(
    'tool_failed',
    `The job took longer than ${TIME_LIMIT_MS / 60_000} minutes. Split it into smaller jobs.`,
    { status: 504 },
  );
