/** The queues: one a kind of work, sized to the machine. */
import { CORES } from './cores.ts';
import type { WorkKind } from './operations/operation.ts';
import { WorkQueue } from './work-queue.ts';

/** Those who wait have their files on the disk already: few enough to fit, and to have their turn in time. */
const WAITING = 4 * CORES;

export const QUEUES: Readonly<Record<WorkKind, WorkQueue>> = {
  image: new WorkQueue(CORES, WAITING),
  // One encoder keeps two cores busy.
  video: new WorkQueue(Math.max(1, CORES >> 1), CORES, 15),
  pdf: new WorkQueue(CORES, WAITING),
  ocr: new WorkQueue(CORES, WAITING, 15),
};

/** How many run and wait, of every kind: for /ready. */
export const queueLoad = () =>
  Object.fromEntries(Object.entries(QUEUES).map(([kind, queue]) => [kind, queue.load()]));
