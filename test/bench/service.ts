/** Runs a whole service for one group of figures. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, stopService } from '../support/global-setup.ts';

/** Runs `measure` with its own service and a folder for files. */
export async function withService<T>(
  measure: (baseUrl: string, folder: string, pid: number) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'tools-bench-'));
  const { child, baseUrl } = await startService({ STATE_DIR: join(folder, 'state') });
  try {
    return await measure(baseUrl, folder, child.pid!);
  } finally {
    await stopService(child);
    rmSync(folder, { recursive: true });
  }
}
