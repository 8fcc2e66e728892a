/**
 * Runs the proxy in its own thread. Forwarded bytes become garbage at once. In the main thread, each collection would
 * also traverse the heap of Miniflare and wrangler, which takes longer than forwarding the bytes.
 */
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { openProxy, type ProxySettings } from './proxy.ts';

type Opened = { port: number } | { code: string | undefined; message: string };

export interface ProxyThread {
  port: number;
  /** Forwards requests to `target` from now on. Until this is called, they are refused with 503. */
  forwardTo(target: URL): void;
  close(): Promise<unknown>;
}

/** Rejects if the proxy cannot listen. */
export async function startProxy(settings: ProxySettings): Promise<ProxyThread> {
  const thread = new Worker(new URL(import.meta.url), { workerData: settings });
  const [opened] = (await once(thread, 'message')) as [Opened];
  if (!('port' in opened)) throw Object.assign(new Error(opened.message), { code: opened.code });
  return {
    port: opened.port,
    forwardTo: (target) => thread.postMessage(target.href),
    close: () => thread.terminate(),
  };
}

async function serve(settings: ProxySettings): Promise<Opened> {
  let target: URL | undefined;
  parentPort?.on('message', (address: string) => {
    target = new URL(address);
  });
  try {
    return await openProxy(settings, () => target);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { code, message };
  }
}

if (!isMainThread) {
  const opened = await serve(workerData as ProxySettings);
  parentPort?.postMessage('port' in opened ? { port: opened.port } : opened);
}
