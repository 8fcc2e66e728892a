/** Describes the progress of a long run. */
import { durationText } from '../../access/duration-text.ts';

export interface JobState {
  status: string;
  /** The progress from 0 to 1. */
  progress: number;
  /** The current step, such as `page 2 of 7`. */
  message?: string;
}

/** The time in milliseconds after which the remaining time is estimated from the speed so far. */
const ESTIMATE_AFTER_MS = 3000;

/** @param elapsed the time since the work began, in milliseconds */
export function progressText({ status, progress, message }: JobState, elapsed: number): string {
  if (status === 'queued') return 'Waiting in the queue…';
  if (progress <= 0) return message ? `Working… ${message}` : 'Working…';
  const secondsLeft = Math.ceil((elapsed / progress - elapsed) / 1000);
  const isKnown = elapsed > ESTIMATE_AFTER_MS && progress < 1;
  const what = message ? `${message}, ` : '';
  const rest = isKnown ? `, about ${durationText(secondsLeft)} left` : '';
  return `Working… ${what}${Math.floor(progress * 100)} %${rest}`;
}
