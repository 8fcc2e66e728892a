/**
 * Runs the proxy in its own thread. Forwarded bytes quickly become garbage. In the main thread, each garbage collection
 * would also traverse the heaps of Miniflare and wrangler, which takes longer than the forwarding itself.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { openProxy, type ProxySettings } from './proxy.ts';

/**
 * The size limit of V8's young generation, in MB. Small body chunks fill it regardless of its size, and the default
 * would use 30 MB more memory.
 */
const YOUNG_MB = 24;

type Failure = Pick<NodeJS.ErrnoException, 'code' | 'syscall' | 'message'>;
type Opened = { port: number } | Failure;
type Order = { forwardTo: string } | { drainMs: number };

export interface ProxyThread {
  port: number;
  /** Forwards requests to `target`. Until the first call, requests are refused with 503. */
  forwardTo(target: URL): void;
  /** Refuses new requests with 503. Resolves when the running requests have finished, or aborts them after `ms`. */
  drain(ms: number): Promise<unknown>;
  close(): Promise<unknown>;
}

/** Starts the thread. Rejects if the proxy cannot listen. */
export async function startProxy(settings: ProxySettings): Promise<ProxyThread> {
  const thread = new Worker(new URL(import.meta.url), {
    workerData: settings,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  const [opened] = (await once(thread, 'message')) as [Opened];
  if (!('port' in opened)) throw Object.assign(new Error(opened.message), opened);
  const order = (message: Order) => thread.postMessage(message);
  return {
    port: opened.port,
    forwardTo: (target) => order({ forwardTo: target.href }),
    drain: (ms) => {
      const drained = once(thread, 'message');
      order({ drainMs: ms });
      return drained;
    },
    close: () => thread.terminate(),
  };
}

async function serve(settings: ProxySettings): Promise<Opened> {
  let target: URL | undefined;
  try {
    const proxy = await openProxy(settings, () => target);
    parentPort?.on('message', async (order: Order) => {
      if ('forwardTo' in order) target = new URL(order.forwardTo);
      else {
        await proxy.drain(sleep(order.drainMs));
        parentPort?.postMessage('drained');
      }
    });
    return { port: proxy.port };
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    return { code, syscall, message };
  }
}

if (!isMainThread) {
  parentPort?.postMessage(await serve(workerData as ProxySettings));
}
