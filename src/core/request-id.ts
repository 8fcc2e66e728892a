/** The request being answered and its caller, wherever in the code that is: for logs and for the media worker. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Caller } from './caller.ts';

interface AnsweredRequest {
  id: string;
  caller: Caller;
}

const requests = new AsyncLocalStorage<AnsweredRequest>();

/** Runs `answer`, in all of which `request` is the one being answered. */
export const withRequest = <T>(request: AnsweredRequest, answer: () => T): T =>
  requests.run(request, answer);

/** Undefined outside of a request. */
export const currentRequestId = (): string | undefined => requests.getStore()?.id;

/** Undefined outside of a request. */
export const currentCaller = (): Caller | undefined => requests.getStore()?.caller;
