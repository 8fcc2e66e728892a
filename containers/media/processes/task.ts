/** Defines the messages between the media worker and a pool process. */
import type { ErrorCode, ErrorDetails } from '../../../src/core/errors.ts';

export interface Task {
  given: unknown;
  result: unknown;
}

export type Tasks<All> = Record<keyof All, Task>;

export interface TaskMessage<All extends Tasks<All>, Name extends keyof All = keyof All> {
  name: Name;
  given: All[Name]['given'];
}

/** The reply that grants the slot for large tasks. */
export const GO = 'go';

export type TaskReply =
  /** Reports that the process has received the task. It is the first reply to each task. */
  | { received: true }
  /**
   * Reports that the task has begun to read a file. It contains the file's name, which is used in the error message if
   * the process crashes or exceeds a limit.
   */
  | { reading: string }
  /** CPU seconds to add to the task's limit, for the measured number of pages, pixels or frames. */
  | { allow: number }
  /** The progress, from 0 to 1. */
  | { progress: number }
  /** Requests the slot for large tasks. The reply is GO. */
  | { large: true }
  | (TaskOutcome & {
      /** Whether the process must be killed, because programs of the task may still be running. */
      spent: boolean;
    });

export type TaskOutcome =
  | { result: unknown }
  | { error: { code: ErrorCode; message: string; details: TaskErrorDetails } }
  /** An unexpected error caused by a bug in the service. */
  | { defect: string };

export type TaskErrorDetails = Pick<
  ErrorDetails,
  'status' | 'param' | 'retryAfter' | 'details' | 'extra'
>;
