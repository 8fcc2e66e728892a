/** The model server of the tests, started once per project, reached by its address. */
import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Base address of the model server, including `/v1`. */
    modelServer: string;
  }
}

export const modelServer = inject('modelServer');

/** The number of its open requests. */
export const openRequests = async (): Promise<number> =>
  Number(await (await fetch(new URL('/open', modelServer))).text());
