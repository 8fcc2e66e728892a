/** Processes many items concurrently, at most one per core. */
import { CORES } from '../../cores.ts';

/**
 * Runs `work` for each item. The first failure prevents further items from starting. It is thrown after the running
 * items have finished.
 */
export async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items].reverse();
  const lane = async () => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
      try {
        await work(item);
      } catch (error) {
        waiting.length = 0;
        throw error;
      }
    }
  };
  const lanes = Array.from({ length: CORES }, lane);
  const results = await Promise.allSettled(lanes);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
