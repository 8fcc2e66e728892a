/** Runs a separate service for a group of benchmarks. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, stopService } from '../support/global-setup.ts';

/** Runs `measure` with a separate service and a temporary folder. */
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
