/**
 * Creates one directory per request, inside this process's own directory. At startup, removes the directories that
 * killed processes left behind.
 */
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError } from '../../src/core/errors.ts';
import { diskFloor } from '../../src/core/limits.ts';
import { refused } from './refused.ts';

const PREFIX = 'tools-media-';

const RETRY_SECONDS = 60;
const diskFull = (cause?: unknown) =>
  refused('full', "The media worker's disk is full. Try again later.", RETRY_SECONDS, cause);

const isAlive = (processId: number) => {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

function removeIfOurs(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // The entry belongs to another user, who must remove it.
  }
}

export class WorkDirectory {
  readonly path: string;
  readonly #parent: string | undefined;

  /** Throws if `parent` is not writable. The server must not start in that case. */
  constructor(parent: string) {
    const isNew = mkdirSync(parent, { recursive: true }) !== undefined;
    this.#parent = isNew ? parent : undefined;
    for (const entry of readdirSync(parent)) {
      const owner = /^tools-media-(\d+)-/.exec(entry)?.[1];
      // After a restart of its container, this process may have the same process ID as its predecessor.
      const stale = owner && (Number(owner) === process.pid || !isAlive(Number(owner)));
      if (stale) removeIfOurs(join(parent, entry));
    }
    this.path = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  }

  /**
   * Changes the owner of the directory to `user`. Also changes the owner of its parent if this process created the
   * parent.
   */
  handTo(user: number): void {
    for (const path of [this.path, this.#parent]) if (path) chownSync(path, user, user);
  }

  isWritable(): boolean {
    try {
      accessSync(this.path, constants.W_OK);
      return true;
    } catch {
      return false;
    }
  }

  /** Returns the number of free bytes on the disk, or 0 if the directory no longer exists. */
  freeBytes(): number {
    try {
      const { bavail, bsize } = statfsSync(this.path);
      return bavail * bsize;
    } catch {
      return 0;
    }
  }

  /** Returns a new directory for one request. Throws ToolError 503 if the disk is full. */
  async forRequest(): Promise<string> {
    if (await this.#isFull()) throw diskFull();
    return mkdtemp(join(this.path, 'request-'));
  }

  /**
   * Returns the thrown error, or a 503 error if a full disk may have caused it. A valid file may then seem damaged,
   * because programs such as qpdf exit successfully although they could not write their whole output.
   */
  async explain(thrown: unknown): Promise<unknown> {
    const isExplained = thrown instanceof ToolError && ![400, 422, 500].includes(thrown.status);
    return !isExplained && (await this.#isFull()) ? diskFull(thrown) : thrown;
  }

  /** Returns false if the disk's state cannot be read. The next disk operation then reports the cause. */
  async #isFull(): Promise<boolean> {
    const disk = await statfs(this.path).catch(() => undefined);
    return disk !== undefined && disk.bavail < diskFloor(disk.blocks * disk.bsize) / 2 / disk.bsize;
  }

  remove(directory: string): Promise<void> {
    return rm(directory, { recursive: true, force: true, maxRetries: 3 });
  }

  /**
   * Removes all files, and also the directory if this user is allowed to. Otherwise, the next process removes the
   * directory at startup.
   */
  removeAll(): void {
    const entries = existsSync(this.path) ? readdirSync(this.path) : [];
    for (const entry of entries) removeIfOurs(join(this.path, entry));
    removeIfOurs(this.path);
  }
}
