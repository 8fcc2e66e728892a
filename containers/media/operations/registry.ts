/**
 * Lists the operations. An operation has the same name as its file. `KIND/NAME.operation.ts` exports an `operation`,
 * which runs in the server. `image/NAME.work.ts` exports a `work`, which runs in an image process.
 */
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { imageOperation } from './image/process/image-operation.ts';
import type { Operation } from './operation.ts';

const FOLDER = import.meta.dirname;

const operations = globSync('*/*.operation.ts', { cwd: FOLDER }).map(
  async (file): Promise<[string, Operation]> => {
    const { operation } = await import(pathToFileURL(join(FOLDER, file)).href);
    return [basename(file, '.operation.ts'), operation];
  },
);

const imageOperations = globSync('image/*.work.ts', { cwd: FOLDER })
  .map((file) => basename(file, '.work.ts'))
  .map((name): [string, Operation] => [name, imageOperation(name)]);

export const OPERATIONS: ReadonlyMap<string, Operation> = new Map([
  ...(await Promise.all(operations)),
  ...imageOperations,
]);
