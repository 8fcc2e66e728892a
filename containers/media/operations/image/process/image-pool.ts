/** Defines the pool of processes that decode and encode images. */
import { join } from 'node:path';
import { CORES } from '../../../cores.ts';
import { ProcessPool } from '../../../processes/process-pool.ts';
import type { ImageTasks } from './image-tasks.ts';

/** Encoding 100 megapixels as AVIF maps 6 GB of memory and uses 3.2 GB. */
const MEMORY_BYTES = 7 * 1024 ** 3;

export const images = new ProcessPool<ImageTasks>({
  program: join(import.meta.dirname, 'image-process.ts'),
  memoryBytes: MEMORY_BYTES,
  // Encoding 100 megapixels as AVIF took 49 CPU seconds, and 84 seconds of wall time on two busy cores.
  ceiling: { seconds: 110, cores: CORES },
  subject: 'The image',
});
