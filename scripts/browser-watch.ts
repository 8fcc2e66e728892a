/** Kills any browser that exceeds its limit on total memory or on the number of processes. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/**
 * The maximum total memory of a browser and its child processes, in bytes. A 100-megapixel page uses half of this
 * limit.
 */
export const BROWSER_BYTES = 1.5 * 1024 ** 3;
const BROWSER_PROCESSES = 50;
/** The interval between checks, in milliseconds. It is short, because a page can allocate about 2 GB per second. */
const LOOK_MS = 250;

const childrenFile = (process: number, thread: string | number) =>
  `/proc/${process}/task/${thread}/children`;

export const canWatch = () => existsSync(childrenFile(process.pid, process.pid));

/** Kills each browser of this process that exceeds a limit, and calls `warn`. Returns a function that stops this. */
export function watchBrowsers(warn: (message: string) => void): () => void {
  const timer = setInterval(() => {
    for (const browser of childrenOf(process.pid).filter(isBrowser)) {
      const all = [browser, ...descendantsOf(browser)];
      const bytes = all.reduce((sum, id) => sum + memoryOf(id), 0);
      if (bytes <= BROWSER_BYTES && all.length <= BROWSER_PROCESSES) continue;
      for (const id of all) kill(id);
      warn(
        `A page's browser was killed because it exceeded a limit: ${all.length} processes, ${Math.round(bytes / 1024 ** 2)} MB.`,
      );
    }
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Returns the process IDs of the children of all of a process's threads, or an empty list if the process has exited.
 */
function childrenOf(id: number): number[] {
  try {
    return readdirSync(`/proc/${id}/task`).flatMap((thread) =>
      readFileSync(childrenFile(id, thread), 'latin1').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

function descendantsOf(id: number): number[] {
  return childrenOf(id).flatMap((child) => [child, ...descendantsOf(child)]);
}

const isBrowser = (id: number) => read(id, 'cmdline').includes('--user-data-dir=');

/** Returns the size of a process's anonymous and shared memory in bytes, excluding mapped files. */
function memoryOf(id: number): number {
  const status = read(id, 'status');
  const kilobytes = ['RssAnon', 'RssShmem'].map((name) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0),
  );
  return kilobytes.reduce((sum, value) => sum + value, 0) * 1024;
}

function read(id: number, name: string): string {
  try {
    return readFileSync(`/proc/${id}/${name}`, 'latin1');
  } catch {
    return '';
  }
}

function kill(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch {
    // The process has already exited.
  }
}
