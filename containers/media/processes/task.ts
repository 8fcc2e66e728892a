/** The messages between the media worker and a process of a pool. */
import type { ErrorCode, ErrorDetails } from '../../../src/core/errors.ts';

/** The input and output of a task. */
export interface Task {
  given: unknown;
  result: unknown;
}

/** Tasks by name. */
export type Tasks<All> = Record<keyof All, Task>;

export interface TaskMessage<All extends Tasks<All>, Name extends keyof All = keyof All> {
  name: Name;
  given: All[Name]['given'];
}

/** The reply to a request for the slot for large tasks. */
export const GO = 'go';

export type TaskReply =
  /** The first message names what the task reads, for the message if the process crashes. */
  | { reading: string }
  /** CPU seconds to add to the task's limit, for work that was measured. */
  | { allow: number }
  /** From 0 to 1. */
  | { progress: number }
  /** Requests the slot for large tasks; the reply is GO. */
  | { large: true }
  | (TaskOutcome & {
      /** Whether the process must end, because programs that the task started may still run. */
      spent: boolean;
    });

export type TaskOutcome =
  | { result: unknown }
  | { error: { code: ErrorCode; message: string; details: TaskErrorDetails } }
  /** An unexpected error, caused by a defect of the service. */
  | { defect: string };

export type TaskErrorDetails = Pick<
  ErrorDetails,
  'status' | 'param' | 'retryAfter' | 'details' | 'extra'
>;
