/**
 * Replaces the state of a folder with a restored one. If that is interrupted, the next owner of the folder finishes it.
 */
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of all state, as Miniflare lays it out. */
export const STATE = 'v3';
/** A complete restored state that is not in use yet. */
export const RESTORED = `${STATE}-restored`;

/** Returns the folder to which an earlier state was moved. */
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
