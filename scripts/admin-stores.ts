/**
 * Opens the D1 databases and the R2 bucket of the local service through Miniflare, or those of a deployed service
 * through wrangler.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { D1Accounts } from '../src/adapters/d1-accounts.ts';
import { D1Keys } from '../src/adapters/d1-keys.ts';
import { D1Moderation } from '../src/adapters/d1-moderation.ts';
import { D1Usage } from '../src/adapters/d1-usage.ts';
import { R2Moderation } from '../src/adapters/r2-moderation.ts';
import type { AdminStores } from '../src/admin/stores.ts';
import type { EnvironmentName } from './deployment/environment-bindings.ts';
import { storeOptions } from './worker-options.ts';

interface Bindings {
  ACCOUNTS: D1Database;
  LINKS: D1Database;
  DB: D1Database;
  FILES: R2Bucket;
}

interface Opened {
  bindings: Bindings;
  settings: Record<string, unknown>;
  close(): Promise<void>;
}

/**
 * Opens the stores of the service deployed to the environment `remote`, or those of the local service if `remote` is
 * null.
 */
export async function openAdminStores(
  remote: EnvironmentName | null,
): Promise<{ stores: AdminStores; close(): Promise<void> }> {
  process.env.WRANGLER_LOG ??= 'error';
  const { bindings, settings, close } = await (remote ? openDeployed(remote) : openLocal());
  return { stores: adminStoresOf(bindings, settings as Record<string, string>), close };
}

async function openLocal(): Promise<Opened> {
  const { compatibilityDate, d1Databases, r2Buckets } = await storeOptions();
  const options = convertV4MiniflareOptions({
    cf: false,
    telemetry: { enabled: false },
    modules: true,
    script: 'export default { fetch: () => new Response() }',
    resourcePersistencePath: resolve(process.env.STATE_DIR || '.wrangler/state', 'v3'),
    compatibilityDate,
    d1Databases,
    r2Buckets,
  });
  const miniflare = new Miniflare(options);
  const bindings = await miniflare.getBindings<Bindings>();
  return { bindings, settings: process.env, close: () => miniflare.dispose() };
}

async function openDeployed(environment: EnvironmentName): Promise<Opened> {
  // wrangler is imported on demand, because the service's image does not contain it.
  const { getPlatformProxy } = await import('wrangler');
  const { vars, ...config } = await deployedConfig(environment);
  const folder = mkdtempSync(join(tmpdir(), 'tools-admin-'));
  const configPath = join(folder, 'wrangler.json');
  writeFileSync(configPath, JSON.stringify(config));
  const { env, dispose } = await getPlatformProxy<Bindings>({ configPath, remoteBindings: true });
  return {
    bindings: env,
    // .env contains the settings of the local service, so the settings of the deployed service take precedence.
    settings: { ...process.env, ...vars },
    close: async () => {
      await dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Returns a configuration with only the settings from wrangler.toml that the stores need. The other settings would also
 * start Durable Objects and containers.
 */
export async function deployedConfig(environment: EnvironmentName) {
  const { unstable_readConfig } = await import('wrangler');
  const { name, compatibility_date, vars, d1_databases, r2_buckets } = unstable_readConfig(
    { config: 'wrangler.toml', env: environment },
    { hideWarnings: true },
  );
  return {
    name,
    compatibility_date,
    vars,
    d1_databases: d1_databases.map((one: { binding: string }) => ({
      ...one,
      remote: true,
      database_id: databaseId(one.binding, environment),
    })),
    r2_buckets: r2_buckets.map((one: object) => ({ ...one, remote: true })),
  };
}

/** Looks up the database ID. wrangler.toml contains no IDs, because wrangler's commands find a database by its name. */
function databaseId(binding: string, environment: EnvironmentName): string {
  const { status, stdout, stderr } = spawnSync(
    'wrangler',
    ['d1', 'info', binding, '--env', environment, '--json'],
    { encoding: 'utf8', env: { ...process.env, WRANGLER_SEND_METRICS: 'false' } },
  );
  if (status === 0) return JSON.parse(stdout).uuid;
  throw new Error(
    `wrangler could not find the database ${binding} in ${environment}.\n${stdout}${stderr}`,
  );
}

export function adminStoresOf(
  { ACCOUNTS, LINKS, DB, FILES }: Bindings,
  settings: Record<string, string>,
) {
  const baseUrl = settings.BASE_URL || `http://localhost:${settings.PORT || 8787}`;
  return {
    moderation: new D1Moderation(ACCOUNTS, LINKS),
    // A script cannot reach the Durable Object that counts stored bytes, so a removed file counts toward the quota
    // until it expires.
    hosted: new R2Moderation(FILES, async () => {}),
    keys: new D1Keys(ACCOUNTS),
    accounts: new D1Accounts(ACCOUNTS, DB),
    usage: new D1Usage(ACCOUNTS),
    config: {
      baseUrl,
      storageUrl: settings.STORAGE_URL || baseUrl,
      adminAccounts: new Set(
        (settings.ADMIN_ACCOUNTS ?? '')
          .split(',')
          .map((id) => id.trim())
          .filter(Boolean),
      ),
    },
  } satisfies AdminStores;
}
