/**
 * The proxy in a thread of its own. The bytes that pass through it are garbage at once, and to collect it in the main
 * thread means to go through all that Miniflare and wrangler keep there: more work than to pass the bytes on.
 */
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { openProxy, type ProxySettings } from './proxy.ts';

type Opened = { port: number } | { code: string | undefined; message: string };

export interface ProxyThread {
  port: number;
  /** From then on requests are forwarded; until then they are refused with 503. */
  forwardTo(target: URL): void;
  close(): Promise<unknown>;
}

/** Throws what listening throws. */
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
