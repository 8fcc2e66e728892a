/** Opens D1 and R2 of the local service or of the deployed one, through wrangler. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { getPlatformProxy, unstable_readConfig } from 'wrangler';
import { D1Accounts } from '../src/adapters/d1-accounts.ts';
import { D1Keys } from '../src/adapters/d1-keys.ts';
import { D1Moderation } from '../src/adapters/d1-moderation.ts';
import { D1Usage } from '../src/adapters/d1-usage.ts';
import { R2Moderation } from '../src/adapters/r2-moderation.ts';
import type { AdminStores } from '../src/admin/stores.ts';
import type { EnvironmentName } from './deployment/environment-bindings.ts';

interface Bindings {
  DB: D1Database;
  FILES: R2Bucket;
}

/** `remote`: the environment whose deployed service is opened; null for the local one. */
export async function openAdminStores(
  remote: EnvironmentName | null,
): Promise<{ stores: AdminStores; close(): Promise<void> }> {
  process.env.WRANGLER_LOG ??= 'error';
  const { vars, ...config } = adminConfig(remote);
  const folder = mkdtempSync(join(tmpdir(), 'tools-admin-'));
  const configPath = join(folder, 'wrangler.json');
  writeFileSync(configPath, JSON.stringify(config));
  const stateDir = resolve(process.env.STATE_DIR || '.wrangler/state');
  const { env, dispose } = await getPlatformProxy<Bindings>({
    configPath,
    persist: { path: join(stateDir, 'v3') },
    remoteBindings: remote !== null,
  });
  // .env holds the settings of the local service.
  const settings = { ...process.env, ...(remote ? vars : {}) } as Record<string, string>;
  return {
    stores: adminStoresOf(env, settings),
    close: async () => {
      await dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The part of wrangler.toml that is needed: all of it would also start Durable Objects and containers. */
export function adminConfig(remote: EnvironmentName | null) {
  const { name, compatibility_date, vars, d1_databases, r2_buckets } = unstable_readConfig(
    { config: 'wrangler.toml', ...(remote && { env: remote }) },
    { hideWarnings: true },
  );
  const named = (list: readonly { binding: string }[], binding: string) =>
    list.filter((one) => one.binding === binding);
  const found = remote ? { remote: true, database_id: databaseId(remote) } : {};
  return {
    ...{ name, compatibility_date, vars },
    d1_databases: named(d1_databases, 'DB').map((one) => ({ ...one, ...found })),
    r2_buckets: named(r2_buckets, 'FILES').map((one) => ({ ...one, remote: remote !== null })),
  };
}

/** The environments have no database ids, because wrangler's commands find a database by its name. */
function databaseId(environment: EnvironmentName): string {
  const { status, stdout, stderr } = spawnSync(
    'wrangler',
    ['d1', 'info', 'DB', '--env', environment, '--json'],
    { encoding: 'utf8', env: { ...process.env, WRANGLER_SEND_METRICS: 'false' } },
  );
  if (status === 0) return JSON.parse(stdout).uuid;
  throw new Error(`wrangler could not find the database of ${environment}.\n${stdout}${stderr}`);
}

export function adminStoresOf({ DB, FILES }: Bindings, settings: Record<string, string>) {
  const baseUrl = settings.BASE_URL || `http://localhost:${settings.PORT || 8787}`;
  return {
    moderation: new D1Moderation(DB),
    // The ledger of stored bytes is a Durable Object: these bytes count until the file would have expired.
    hosted: new R2Moderation(FILES, async () => {}),
    keys: new D1Keys(DB),
    accounts: new D1Accounts(DB),
    usage: new D1Usage(DB),
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
