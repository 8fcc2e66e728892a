/** The id of the request being answered, wherever in the code that is: for logs and for the media worker. */
import { AsyncLocalStorage } from 'node:async_hooks';

const ids = new AsyncLocalStorage<string>();

/** Runs `answer`, in all of which `currentRequestId` is `id`. */
export const withRequestId = <T>(id: string, answer: () => T): T => ids.run(id, answer);

/** The id; undefined outside of a request. */
export const currentRequestId = (): string | undefined => ids.getStore();
