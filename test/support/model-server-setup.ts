/** Starts and stops the fake model server of a Vitest project. */
import type { TestProject } from 'vitest/node';
import { startModelServer } from './model-server.ts';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startModelServer();
  project.provide('modelServer', server.url);
  return server.stop;
}
