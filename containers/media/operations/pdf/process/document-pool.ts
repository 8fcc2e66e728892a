/** Defines the pool of processes that parse PDF files, which are untrusted. */
import { join } from 'node:path';
import { ProcessPool } from '../../../processes/process-pool.ts';
import type { DocumentTasks } from './document-tasks.ts';

/** The memory limit is about 40 times the size of the largest upload. */
const MEMORY_BYTES = 2 * 1024 ** 3;

export const documents = new ProcessPool<DocumentTasks>({
  program: join(import.meta.dirname, 'document-process.ts'),
  memoryBytes: MEMORY_BYTES,
  // The operations have shorter limits, because their error messages are more specific.
  ceiling: { seconds: 300 },
  programs: 4,
  subject: 'The PDF',
});
