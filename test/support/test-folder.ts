/** Creates folders for the files of tests, and empties them. Successive test files in a worker share a folder. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const TESTS_FOLDER = 'TESTS_FOLDER';

/** Creates a folder. It is removed when all tests of the Vitest project have finished. */
export const makeTestFolder = (name: string): string =>
  mkdtempSync(join(process.env[TESTS_FOLDER] ?? tmpdir(), `${name}-`));

export function emptyTestFolder(folder: string): void {
  for (const name of readdirSync(folder))
    rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 10 });
}
