/** Creates one queue per kind of work. The queue sizes depend on the number of cores. */
import { CORES } from './cores.ts';
import type { WorkKind } from './operations/operation.ts';
import { WorkQueue } from './work-queue.ts';

/**
 * The maximum number of waiting calls of a kind other than video. Their files are already on disk, so additional calls
 * could fill the disk. They would also have to wait for a long time.
 */
const WAITING = 4 * CORES;

export const QUEUES: Readonly<Record<WorkKind, WorkQueue>> = {
  image: new WorkQueue(CORES, WAITING),
  // One video encoder keeps two cores busy.
  video: new WorkQueue(Math.max(1, CORES >> 1), CORES, 15),
  pdf: new WorkQueue(CORES, WAITING),
  ocr: new WorkQueue(CORES, WAITING, 15),
};

/** Returns the number of running and waiting calls of each kind, for /ready. */
export const queueLoad = () =>
  Object.fromEntries(Object.entries(QUEUES).map(([kind, queue]) => [kind, queue.load()]));

/** Returns the number of running and waiting calls across all queues. */
export const callsInside = (): number =>
  Object.values(QUEUES).reduce((sum, queue) => {
    const { running, waiting } = queue.load();
    return sum + running + waiting;
  }, 0);
