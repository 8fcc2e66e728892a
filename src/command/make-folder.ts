/** Creates a folder and its parent folders. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Creates one folder at a time, because Node's recursive mkdir never returns below /proc. Throws system errors. */
export function makeFolder(path: string): void {
  if (isDirectory(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have created the folder.
    if (!isDirectory(path)) throw error;
  }
}

export function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
