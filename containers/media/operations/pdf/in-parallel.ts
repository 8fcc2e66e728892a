/** Processes many items concurrently. */
import { CORES } from '../../cores.ts';

/**
 * Runs `work` for each item, by default for one item per core at a time. A failure prevents further items from
 * starting, and is thrown after the running items have finished. If several items fail, only one of the failures is
 * thrown.
 */
export async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  most = CORES,
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
  const workers = Array.from({ length: most }, worker);
  const results = await Promise.allSettled(workers);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
