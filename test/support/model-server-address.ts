/** Provides access to the fake model server. The server runs once per Vitest project, and tests receive its address. */
import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The base address of the model server, including `/v1`. */
    modelServer: string;
  }
}

export const modelServer = inject('modelServer');

/** Returns the number of unanswered requests. If `mark` is given, counts only those whose body contains it. */
export const openRequests = async (mark = ''): Promise<number> =>
  Number(await (await fetch(new URL(`/open?mark=${mark}`, modelServer))).text());

/** Answers all held prompts `behave:held MARK`, including those that arrive later. */
export const releaseHeld = async (mark: string): Promise<void> => {
  await fetch(new URL(`/release?mark=${mark}`, modelServer));
};
