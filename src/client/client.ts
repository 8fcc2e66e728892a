/**
 * Defines the client. `connect` returns a function for each tool. The client needs only web APIs, so it also runs in
 * browsers and Workers.
 */
import type { ChainResult, ChainStep } from './chain-types.ts';
import { Connection, type ConnectOptions, type OutgoingRequest } from './connection.ts';
import type { FileSource } from './file-source.ts';
import { type JobProgress, runJob } from './job.ts';
import { randomKey } from './random-key.ts';
import { callBody, jsonBody } from './request-body.ts';
import { resultReader, type ToolFile, withFiles } from './tool-file.ts';
import type { ToolTypes } from './tool-types.gen.ts';

export type { ChainResult, ChainStep } from './chain-types.ts';
export type { ConnectOptions } from './connection.ts';
export type { FileSource, NamedFile } from './file-source.ts';
export type { JobProgress } from './job.ts';
export type { ErrorCode, FileLink } from './shared-types.gen.ts';
export { ToolFile } from './tool-file.ts';
export type { ToolTypes } from './tool-types.gen.ts';
export { ToolsError } from './tools-error.ts';

export interface CallOptions {
  /** Aborting this signal cancels the call, and the service stops working on it. */
  signal?: AbortSignal;
  /** Runs the call as a job and receives its progress. Use it for calls that may exceed a proxy's time limit. */
  onProgress?: (progress: JobProgress) => void;
  /** Whether a file is returned as a link that works for 24 hours. Its bytes are not downloaded until you read them. */
  link?: boolean;
  /**
   * The idempotency key of the call. Send the same key to repeat the call without running it twice. Default: a random
   * key, or no key if `retries` is 0.
   */
  idempotencyKey?: string;
}

type ToolCall<P, R> =
  Record<never, never> extends P
    ? (parameters?: P, options?: CallOptions) => Promise<R>
    : (parameters: P, options?: CallOptions) => Promise<R>;

/** A tool that returns a file if its parameters match `F`, and JSON otherwise. */
interface ChoosingCall<P, R, F> {
  (parameters: P & F, options?: CallOptions): Promise<Extract<R, ToolFile>>;
  (
    parameters: P & { [K in keyof F & keyof P]?: Exclude<P[K], F[K]> },
    options?: CallOptions,
  ): Promise<Exclude<R, ToolFile>>;
  (parameters: P, options?: CallOptions): Promise<R>;
}

type CallOf<T> = T extends { parameters: infer P; result: infer R; fileIf: infer F }
  ? ChoosingCall<P, R, F>
  : T extends { parameters: infer P; result: infer R }
    ? ToolCall<P, R>
    : never;

export interface Passage {
  /** The relevance from 0 to 1. */
  score: number;
  /** Untrusted content, between `<DATA>` tags. */
  text: string;
  title: string;
  path: string;
  section: string;
  heading: string | null;
  url: string;
}

export type Tools = {
  [N in keyof ToolTypes]: CallOf<ToolTypes[N]>;
} & {
  /**
   * Runs up to twelve tools in order, passing each result to the next tool. If you pass text instead of steps, a model
   * plans the steps.
   */
  chain<const S extends readonly ChainStep[]>(
    steps: S | string,
    options?: CallOptions,
  ): Promise<ChainResult<S>>;
  /** Finds passages in the service's documents. `topK` is a whole number from 1 to 10 and defaults to 5. */
  search(
    query: string,
    options?: { topK?: number; signal?: AbortSignal },
  ): Promise<{ query: string; passages: Passage[]; count: number; retrieval: string }>;
  /** Stores a file for 7 days. Other tools accept its `url`. */
  upload(file: FileSource, options?: CallOptions): Promise<ToolTypes['upload_file']['result']>;
  /** Returns the key's usage and remaining quotas. */
  usage(): Promise<Record<string, unknown>>;
};

const readJson = (response: Response) => response.json();

export function connect(options: ConnectOptions): Tools {
  const connection = new Connection(options);

  function call(path: string, request: OutgoingRequest, options: CallOptions = {}) {
    const { signal, onProgress, link, idempotencyKey = randomKey() } = options;
    const headers = {
      ...request.headers,
      ...(link && { Accept: 'application/json' }),
      ...(connection.retries > 0 || options.idempotencyKey
        ? { 'Idempotency-Key': idempotencyKey }
        : {}),
    };
    const sent = { ...request, headers, signal };
    return onProgress
      ? runJob(connection, path, sent, onProgress)
      : connection.send(path, sent, resultReader(connection));
  }

  const callTool = async (
    name: string,
    parameters: Record<string, unknown> = {},
    options?: CallOptions,
  ) => call(`/api/v1/tools/${name}`, { method: 'POST', ...(await callBody(parameters)) }, options);

  const shared = {
    async chain(steps: unknown, options?: CallOptions) {
      const body = jsonBody(typeof steps === 'string' ? { message: steps } : { toolChain: steps });
      const request = { method: 'POST', ...body };
      const result = await call('/api/v1/tools/chain', request, options);
      const { results, output, ...others } = result as ChainResult<readonly ChainStep[]>;
      const opened = results.map((step) => ({
        ...step,
        result: withFiles(step.result, connection),
      }));
      return { ...others, results: opened, output: withFiles(output, connection) };
    },
    async search(query: string, { topK, signal }: { topK?: number; signal?: AbortSignal } = {}) {
      const request = { method: 'POST', ...jsonBody({ query, topK }), signal };
      return connection.send('/api/v1/search', request, readJson);
    },
    upload: (file: FileSource, options?: CallOptions) => callTool('upload_file', { file }, options),
    usage: () => connection.send('/api/v1/usage', { method: 'GET' }, readJson),
  };

  // Tool names contain an underscore. Any other property must be undefined, because `await` treats an object with a
  // `then` as a promise.
  return new Proxy(shared, {
    get: (target, name, receiver) =>
      typeof name === 'string' && name.includes('_') && !name.startsWith('_')
        ? callTool.bind(undefined, name)
        : Reflect.get(target, name, receiver),
  }) as unknown as Tools;
}
