/** Runs a test Worker in workerd. The Worker is bundled like the service. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';

/** Bundles the Worker of this wrangler.toml into `folder`. */
export function bundleTestWorker(config: string, folder: string): void {
  execFileSync('wrangler', ['deploy', '--dry-run', '--config', config, '--outdir', folder], {
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: 'true' },
  });
}

/** Starts a Worker from its bundle. `sockets` are addresses on which it listens. */
export function openTestWorker(
  config: string,
  folder: string,
  sockets: { host: string; port: number }[] = [],
): Miniflare {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(config);
  return new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      telemetry: { enabled: false },
      workers: [
        {
          ...workerOptions,
          modulesRoot: folder,
          modules: [{ type: 'ESModule', path: join(folder, 'worker.js') }],
          unsafeDirectSockets: sockets,
        },
      ],
    }),
  );
}

/** Bundles the Worker of this wrangler.toml into `folder` and starts it. */
export async function startTestWorker(
  config: string,
  folder: string,
): Promise<{ url: URL; stop(): Promise<void> }> {
  bundleTestWorker(config, folder);
  const miniflare = openTestWorker(config, folder, [{ host: '127.0.0.1', port: 0 }]);
  await miniflare.ready;
  return { url: await miniflare.unsafeGetDirectURL(), stop: () => miniflare.dispose() };
}
