/** Replaces a file atomically, so that a running service reads either the old or the new one. */
import { renameSync, writeFileSync } from 'node:fs';

export function replaceFile(path: string, content: string | Uint8Array): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, content);
  renameSync(draft, path);
}
