/** Reads the Worker's configuration from wrangler.toml and converts it to Miniflare's options. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Unstable_MiniflareWorkerOptions } from 'wrangler';

type Read = Unstable_MiniflareWorkerOptions['workerOptions'];
export type WorkerOptions = Omit<Read, 'ai' | 'assets'> & {
  serviceBindings: Record<string, { disk: { path: string; writable: boolean } }>;
};

/**
 * Returns the options of a bundle. They are cached in the bundle's folder, because loading wrangler takes a third of
 * the startup time.
 */
export async function workerOptions(bundle: string): Promise<WorkerOptions> {
  const path = join(bundle, 'options.json');
  if (!existsSync(path)) {
    // The file is renamed into place, because another process may write the same file.
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

interface StoreOptions {
  compatibilityDate: string;
  d1Databases: Record<string, { id: string }>;
  r2Buckets: Record<string, { id: string }>;
}

/** Returns the configuration of the databases and the bucket. In the image, the options are read from the bundle. */
export async function storeOptions(): Promise<StoreOptions> {
  const inImage = process.env.TOOLS_BUNDLE;
  const options: object = await (inImage ? workerOptions(inImage) : readByWrangler());
  return options as StoreOptions;
}

async function readByWrangler(): Promise<object> {
  // wrangler would otherwise print each file that it reads.
  process.env.WRANGLER_LOG ??= 'error';
  const { unstable_getMiniflareWorkerOptions, unstable_readConfig } = await import('wrangler');
  const config = unstable_readConfig({ config: 'wrangler.toml' });
  const {
    ai: _,
    analyticsEngineDatasets: __,
    ...options
  } = unstable_getMiniflareWorkerOptions('wrangler.toml').workerOptions;
  // Workers AI and Analytics Engine have no local version. Models are called through OPENAI_BASE_URL, and calls are
  // counted in memory. Miniflare's own assets would route every request through two more Workers, which would reduce
  // the request rate to a third.
  return { ...options, bindings: config.vars, assets: { ...config.assets } };
}
