/** A state folder in memory, for measuring the code of a Worker without the disk. */
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';

/**
 * Creates a temporary folder in memory if the machine supports it. Each call writes the counters,
 * and a disk that takes 6 ms for an `fdatasync` would hide the cost of the code.
 */
export const memoryFolder = (prefix: string): string =>
  mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), prefix));
