/** The model server of the tests, which runs once per project and is reached by its address. */
import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The base address of the model server, including `/v1`. */
    modelServer: string;
  }
}

export const modelServer = inject('modelServer');

/** Returns the number of unanswered requests, or of those whose body contains `mark`. */
export const openRequests = async (mark = ''): Promise<number> =>
  Number(await (await fetch(new URL(`/open?mark=${mark}`, modelServer))).text());

/** Answers every prompt `behave:held MARK`, including those that arrive later. */
export const releaseHeld = async (mark: string): Promise<void> => {
  await fetch(new URL(`/release?mark=${mark}`, modelServer));
};
