/** Creates state folders in memory, so that benchmarks of Worker code do not measure the disk. */
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';

/**
 * Creates a temporary folder, in memory if the machine supports that. Each call writes the counters, and on a disk
 * where `fdatasync` takes 6 ms, the disk would hide the cost of the code.
 */
export const memoryFolder = (prefix: string): string =>
  mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), prefix));
