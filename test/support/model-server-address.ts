/** The model server of the tests: started once a project, reached by its address. */
import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Base address of the model server, `/v1` included. */
    modelServer: string;
  }
}

export const modelServer = inject('modelServer');

/** The requests that it holds. */
export const openRequests = async (): Promise<number> =>
  Number(await (await fetch(new URL('/open', modelServer))).text());
