/** Creates the folder for the files of a project's tests, and removes it. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TESTS_FOLDER } from './test-folder.ts';

export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'tools-tests-'));
  // The media worker drops root privileges and reads files from this folder.
  chmodSync(folder, 0o711);
  process.env[TESTS_FOLDER] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
