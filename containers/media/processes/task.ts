/** What passes between the media worker and a process of ours that does one task after the other. */
import type { ErrorCode, ErrorDetails } from '../../../src/core/errors.ts';

/** What a task is given and gives. */
export interface Task {
  given: unknown;
  result: unknown;
}

/** Tasks by their names. */
export type Tasks<All> = Record<keyof All, Task>;

export interface TaskMessage<All extends Tasks<All>, Name extends keyof All = keyof All> {
  name: Name;
  given: All[Name]['given'];
}

/** The answer to a task that asks for the place of large ones. */
export const GO = 'go';

export type TaskReply =
  /** Comes before the others: what is being read, for the message if the process dies of it. */
  | { reading: string }
  /** CPU seconds to add to the task's limit, for work that was measured. */
  | { allow: number }
  /** Asks for the one place for large tasks; the answer is GO. */
  | { large: true }
  | (TaskOutcome & {
      /** Programs that it started may still run: they end with it. */
      spent: boolean;
    });

export type TaskOutcome =
  | { result: unknown }
  | { error: { code: ErrorCode; message: string; details: TaskErrorDetails } }
  /** A defect of ours. */
  | { defect: string };

export type TaskErrorDetails = Pick<
  ErrorDetails,
  'status' | 'param' | 'retryAfter' | 'details' | 'extra'
>;
