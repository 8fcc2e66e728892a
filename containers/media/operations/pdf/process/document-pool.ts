/** The processes that read the structure of PDF files, which may be hostile. */
import { join } from 'node:path';
import { ProcessPool } from '../../../processes/process-pool.ts';
import type { DocumentTasks } from './document-tasks.ts';

/** Some 40 times the largest upload, for all that is read of it. */
const MEMORY_BYTES = 2 * 1024 ** 3;

export const documents = new ProcessPool<DocumentTasks>({
  program: join(import.meta.dirname, 'document-process.ts'),
  memoryBytes: MEMORY_BYTES,
  // Beyond that of the operations, which say more of it.
  ceiling: { seconds: 300 },
  programs: 4,
  subject: 'The PDF',
});
