/**
 * Creates folders for the files that tests make. Test files of one worker share a folder in
 * sequence, and empty it.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const TESTS_FOLDER = 'TESTS_FOLDER';

/** Creates a folder that is removed after the tests of a project. */
export const makeTestFolder = (name: string): string =>
  mkdtempSync(join(process.env[TESTS_FOLDER] ?? tmpdir(), `${name}-`));

export function emptyTestFolder(folder: string): void {
  for (const name of readdirSync(folder))
    rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 10 });
}
