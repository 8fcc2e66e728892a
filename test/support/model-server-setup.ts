/** Starts the model server for the tests of a project, and stops it. */
import type { TestProject } from 'vitest/node';
import { startModelServer } from './model-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Base address of the model server, `/v1` included. */
    modelServer: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startModelServer();
  project.provide('modelServer', server.url);
  return server.stop;
}
