/**
 * Replaces the state in a folder with a restored one. If the swap is interrupted, the next owner of the folder finishes
 * it.
 */
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';

/** The folder that contains Miniflare's entire state. */
export const STATE = 'v3';
/** The folder of a state that has been restored completely but is not in use yet. */
export const RESTORED = `${STATE}-restored`;

/** Swaps the states if a restored one exists. Returns the folder to which the previous state was moved. */
export function swapState(stateDir: string): string | undefined {
  const [current, restored] = [join(stateDir, STATE), join(stateDir, RESTORED)];
  if (!existsSync(restored)) return undefined;
  const moved = existsSync(current)
    ? `${current}-before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
    : undefined;
  if (moved) renameSync(current, moved);
  renameSync(restored, current);
  return moved;
}
