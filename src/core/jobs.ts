/**
 * A job is a call that is accepted immediately and runs later. It is plain data, because it is sent to a Durable
 * Object.
 */
import type { Caller } from './caller.ts';

export type JobStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';

/** An uploaded file of a job. It is stored until the job has finished. */
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

/** The call of a job, which is checked when it is accepted and again when it runs. */
export type JobCall =
  | { kind: 'execute'; tool: string; parameters: Record<string, unknown>; files: JobFile[] }
  | { kind: 'chain'; toolChain: StepCall[]; plan?: unknown[] };

/** One attempt to post a finished job to its webhook, with the response's status or the reason why there was none. */
export interface WebhookAttempt {
  /** The time as ISO 8601. */
  at: string;
  status?: number;
  error?: string;
}

/** An attempt to post a webhook, as an account's log shows it. */
export interface LoggedAttempt extends WebhookAttempt {
  jobId: string;
  /** The webhook without its query, which may hold a secret. */
  address: string;
  /** The time of the next attempt, as ISO 8601. Omitted after the last attempt. */
  nextAt?: string;
}

/** The webhook of a job, with the attempts so far. */
export interface Webhook {
  url: string;
  /** The signing key in Base64 after the prefix `whsec_`. */
  secret: string;
  attempts: WebhookAttempt[];
}

export interface NewJob {
  caller: Caller;
  /** The owner, who may read the job. Null if anyone with the ID may read it. */
  owner: string | null;
  /** The tool that the job runs, or `chain`. */
  tool: string;
  /** The call (JobCall) as JSON. */
  call: string;
  /** The IDs of the job's stored input files. */
  inputs: string[];
  warnings: string[];
  webhook?: Webhook;
  /** The trace context of the request that created the job. */
  traceparent?: string;
}

/** The jobs of all callers. */
export interface Jobs {
  /** Queues a job and returns its ID. */
  create(job: NewJob): Promise<string>;
  /** Returns a job with its result as JSON, or null if this owner has no such job. */
  read(id: string, owner: string | null): Promise<ReadableStream<Uint8Array> | null>;
  /** Streams the job as server-sent events until the job finishes. Returns null if this owner has no such job. */
  watch(id: string, owner: string | null): Promise<ReadableStream<Uint8Array> | null>;
  /** Cancels a queued or running job, or removes a finished one. Returns false if this owner has no such job. */
  remove(id: string, owner: string | null): Promise<boolean>;
}

/**
 * The lifetime of a job's ID, in milliseconds. Every job finishes within two hours, and its result is stored for 24
 * hours.
 */
export const JOB_LIFE_MS = 26 * 3600 * 1000;

/**
 * Returns the owner of a caller's jobs: the account or, without an account, the key. Returns null for anonymous
 * callers, whose jobs are readable with the ID alone.
 */
export function jobOwner({ accountId, key }: Caller): string | null {
  if (accountId !== undefined) return `account:${accountId}`;
  return key ? `key:${key.id}` : null;
}
