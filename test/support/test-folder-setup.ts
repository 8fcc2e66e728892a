/** Creates the folder for the files of a Vitest project's tests, and removes it at the end. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TESTS_FOLDER } from './test-folder.ts';

export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'tools-tests-'));
  // The folder must be accessible to other users, because the media worker drops root privileges.
  chmodSync(folder, 0o711);
  process.env[TESTS_FOLDER] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
