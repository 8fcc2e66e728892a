/** The number of processes that can run at once on this machine. */
import { availableParallelism } from 'node:os';

export const CORES = availableParallelism();
