/**
 * The door in a thread of its own. The bytes that pass through it are garbage at once, and to collect it in the main
 * thread means to go through all that Miniflare and wrangler keep there: more work than to pass the bytes on.
 */
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { openFront } from './front.ts';

interface Settings {
  hosts: readonly string[];
  port: number;
  trustedProxy: boolean;
}

type Opened = { port: number } | { code: string | undefined; message: string };

export interface Front {
  port: number;
  /** From then on requests are handed on; until then they are refused with 503. */
  handOnTo(target: URL): void;
  close(): Promise<unknown>;
}

/** Throws what listening throws. */
export async function startFront(settings: Settings): Promise<Front> {
  const thread = new Worker(new URL(import.meta.url), { workerData: settings });
  const [opened] = (await once(thread, 'message')) as [Opened];
  if (!('port' in opened)) throw Object.assign(new Error(opened.message), { code: opened.code });
  return {
    port: opened.port,
    handOnTo: (target) => thread.postMessage(target.href),
    close: () => thread.terminate(),
  };
}

async function serve({ hosts, port, trustedProxy }: Settings): Promise<Opened> {
  let target: URL | undefined;
  parentPort?.on('message', (address: string) => {
    target = new URL(address);
  });
  try {
    return await openFront(hosts, port, () => target, trustedProxy);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { code, message };
  }
}

if (!isMainThread) {
  const opened = await serve(workerData as Settings);
  parentPort?.postMessage('port' in opened ? { port: opened.port } : opened);
}
