/** A job: a call that is answered at once and worked on later. Plain data: it travels to a Durable Object. */
import type { Caller } from './caller.ts';

export type JobStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';

/** An uploaded file of a job, kept in storage until the job is over. */
export interface JobFile {
  id: string;
  name: string;
  declaredType: string | undefined;
}

interface StepCall {
  tool: string;
  parameters: Record<string, unknown>;
  id?: string;
}

/** What is to be done. It was checked when it came in, and is checked again when it runs. */
export type JobCall =
  | { kind: 'execute'; tool: string; parameters: Record<string, unknown>; files: JobFile[] }
  | { kind: 'chain'; toolChain: StepCall[]; plan?: unknown[] };

/** What a job is made of. */
export interface NewJob {
  caller: Caller;
  /** Whom it answers to; null for anybody who knows its id. */
  owner: string | null;
  /** The JobCall as JSON. */
  call: string;
  /** Stored files that go with the job. */
  inputs: string[];
  warnings: string[];
}

/** The jobs of all callers, wherever they are. */
export interface Jobs {
  /** Queues a job and gives its id. */
  create(job: NewJob): Promise<string>;
  /** The job as JSON, its result within; null where there is none of this id for this owner. */
  read(id: string, owner: string | null): Promise<ReadableStream<Uint8Array> | null>;
  /** The job as server-sent events until it is over; null as for `read`. */
  watch(id: string, owner: string | null): Promise<ReadableStream<Uint8Array> | null>;
  /** Cancels a job, or removes one that is over; false as for `read`. */
  remove(id: string, owner: string | null): Promise<boolean>;
}

/** Whom a caller's jobs answer to: the account, else the key; those of an anonymous caller to their id. */
export function jobOwner({ accountId, key }: Caller): string | null {
  if (accountId !== undefined) return `account:${accountId}`;
  return key ? `key:${key.id}` : null;
}
