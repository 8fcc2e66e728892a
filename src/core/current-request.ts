/**
 * Stores the request of the running tool, for the log and the adapters. It is set only while a tool that needs a port
 * runs.
 */
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

/** Returns the ID of the current request, or undefined if none is set. */
export const currentRequestId = (): string | undefined => requests.getStore()?.id;

/** Returns the caller of the current request, or undefined if none is set. */
export const currentCaller = (): Caller | undefined => requests.getStore()?.caller;

/** Returns the record of the current call, or undefined if none is set. */
export const currentRecord = (): CallRecord | undefined => requests.getStore()?.record;
