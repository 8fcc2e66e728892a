/** Creates one queue per kind of work. Their sizes depend on the number of cores. */
import { CORES } from './cores.ts';
import type { WorkKind } from './operations/operation.ts';
import { WorkQueue } from './work-queue.ts';

/**
 * The maximum number of waiting calls. Their files are already on disk, so more calls could fill the disk and would
 * wait long.
 */
const WAITING = 4 * CORES;

export const QUEUES: Readonly<Record<WorkKind, WorkQueue>> = {
  image: new WorkQueue(CORES, WAITING),
  // One video encoder keeps two cores busy.
  video: new WorkQueue(Math.max(1, CORES >> 1), CORES, 15),
  pdf: new WorkQueue(CORES, WAITING),
  ocr: new WorkQueue(CORES, WAITING, 15),
};

/** Returns how many calls of each kind run and wait, for /ready. */
export const queueLoad = () =>
  Object.fromEntries(Object.entries(QUEUES).map(([kind, queue]) => [kind, queue.load()]));

/** Returns how many calls run and wait in all queues. */
export const callsInside = (): number =>
  Object.values(QUEUES).reduce((sum, queue) => {
    const { running, waiting } = queue.load();
    return sum + running + waiting;
  }, 0);
