/** Stores the request that the current code is handling, for logs and for the media worker. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { CallRecord } from './call-record.ts';
import type { Caller } from './caller.ts';

interface AnsweredRequest {
  id: string;
  caller: Caller;
  record?: CallRecord | undefined;
}

const requests = new AsyncLocalStorage<AnsweredRequest>();

/** Runs `answer` with `request` as the current request. */
export const withRequest = <T>(request: AnsweredRequest, answer: () => T): T =>
  requests.run(request, answer);

/** Returns the ID of the current request, or undefined outside a request. */
export const currentRequestId = (): string | undefined => requests.getStore()?.id;

/** Returns the caller of the current request, or undefined outside a request. */
export const currentCaller = (): Caller | undefined => requests.getStore()?.caller;

/** Returns the record of the current call, or undefined outside a request. */
export const currentRecord = (): CallRecord | undefined => requests.getStore()?.record;
