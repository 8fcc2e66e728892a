/** The processes that decode and encode pictures. */
import { join } from 'node:path';
import { CORES } from '../../../cores.ts';
import { ProcessPool } from '../../../processes/process-pool.ts';
import type { PictureTasks } from './picture-tasks.ts';

/** 100 megapixels as AVIF map 6 GB, and touch 3.2. */
const MEMORY_BYTES = 7 * 1024 ** 3;

export const pictures = new ProcessPool<PictureTasks>({
  program: join(import.meta.dirname, 'picture-process.ts'),
  memoryBytes: MEMORY_BYTES,
  // 100 megapixels as AVIF took 49 CPU seconds, and 84 by the clock on two cores that others worked on as well.
  ceiling: { seconds: 110, cores: CORES },
  subject: 'The picture',
});
