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
  const worker = async () => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
      try {
        await work(item);
      } catch (error) {
        waiting.length = 0;
        throw error;
      }
    }
  };
  const workers = Array.from({ length: CORES }, worker);
  const results = await Promise.allSettled(workers);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
