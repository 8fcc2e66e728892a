/** Converts a thrown value to plain data for the error of a job or a chain step. */
import { type ErrorCode, toToolError } from '../core/errors.ts';
import { logCause } from '../lib/log.ts';

export interface Failure {
  error: string;
  code: ErrorCode;
  status: number;
  param?: string;
  /** The time to wait, in seconds. */
  retryAfter?: number;
  details?: unknown;
  [extra: string]: unknown;
}

/** Returns the part of an error that may be shown to the caller. Logs the rest with the request's `id`. */
export function failureOf(thrown: unknown, id: string): Failure {
  const error = toToolError(thrown);
  if (error.status >= 500 && error.cause) logCause(id, error.cause);
  return {
    error: error.message,
    code: error.code,
    status: error.status,
    ...(error.param !== undefined && { param: error.param }),
    ...(error.retryAfter !== undefined && { retryAfter: error.retryAfter }),
    ...(error.details !== undefined && { details: error.details }),
    ...error.extra,
  };
}
