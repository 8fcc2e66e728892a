/** What wrangler.toml says of the Worker, as Miniflare takes it. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Unstable_MiniflareWorkerOptions } from 'wrangler';

type Read = Unstable_MiniflareWorkerOptions['workerOptions'];
export type WorkerOptions = Omit<Read, 'ai' | 'assets'> & {
  serviceBindings: Record<string, { disk: { path: string; writable: boolean } }>;
};

/** Read by wrangler once for each bundle, and kept in its folder: loading wrangler takes a third of a start. */
export async function workerOptions(bundle: string): Promise<WorkerOptions> {
  const path = join(bundle, 'options.json');
  if (!existsSync(path)) {
    // Another start may do the same at the same moment.
    const temporary = `${path}.${process.pid}`;
    writeFileSync(temporary, JSON.stringify(await readByWrangler()));
    renameSync(temporary, path);
  }
  const { assets, ...options } = JSON.parse(readFileSync(path, 'utf8'));
  const serviceBindings = {
    ...options.serviceBindings,
    [assets.binding]: { disk: { path: resolve(assets.directory), writable: false } },
  };
  return { ...options, serviceBindings };
}

async function readByWrangler(): Promise<object> {
  // wrangler would report each file that it reads.
  process.env.WRANGLER_LOG ??= 'error';
  const { unstable_getMiniflareWorkerOptions, unstable_readConfig } = await import('wrangler');
  const config = unstable_readConfig({ config: 'wrangler.toml' });
  const { ai: _, ...options } = unstable_getMiniflareWorkerOptions('wrangler.toml').workerOptions;
  // Workers AI has no local form: models are asked through OPENAI_BASE_URL.
  // With Miniflare's own form of assets every request goes through two more Workers, at a third of the rate.
  return { ...options, bindings: config.vars, assets: { ...config.assets } };
}
