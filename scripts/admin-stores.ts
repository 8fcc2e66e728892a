/** Opens D1 and R2 of the local service or of the deployed one, through wrangler. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { getPlatformProxy, unstable_readConfig } from 'wrangler';
import { MAKER_KEY_LIFE_MS, MAKER_LIFE_MS } from '../src/access/makers.ts';
import { D1Accounts } from '../src/adapters/d1-accounts.ts';
import { D1Keys } from '../src/adapters/d1-keys.ts';
import { D1Moderation } from '../src/adapters/d1-moderation.ts';
import { D1Usage } from '../src/adapters/d1-usage.ts';
import { R2Moderation } from '../src/adapters/r2-moderation.ts';
import type { AdminStores } from '../src/admin/stores.ts';

interface Where {
  remote: boolean;
  /** An environment of wrangler.toml. */
  env: string | undefined;
}

interface Bindings {
  DB: D1Database;
  FILES: R2Bucket;
}

export async function openAdminStores(
  where: Where,
): Promise<{ stores: AdminStores; close(): Promise<void> }> {
  process.env.WRANGLER_LOG ??= 'error';
  const config = unstable_readConfig({
    config: 'wrangler.toml',
    ...(where.env !== undefined && { env: where.env }),
  });
  const { remote } = where;
  const named = (list: readonly { binding: string }[], binding: string) =>
    list.filter((one) => one.binding === binding).map((one) => ({ ...one, remote }));
  const folder = mkdtempSync(join(tmpdir(), 'tools-admin-'));
  const configPath = join(folder, 'wrangler.json');
  // The whole configuration would also start Durable Objects and containers.
  const two = {
    name: config.name,
    compatibility_date: config.compatibility_date,
    d1_databases: named(config.d1_databases, 'DB'),
    r2_buckets: named(config.r2_buckets, 'FILES'),
  };
  writeFileSync(configPath, JSON.stringify(two));
  const stateDir = resolve(process.env.STATE_DIR || '.wrangler/state');
  const { env, dispose } = await getPlatformProxy<Bindings>({
    configPath,
    persist: { path: join(stateDir, 'v3') },
    remoteBindings: remote,
  });
  const settings = { ...(remote ? config.vars : {}), ...process.env } as Record<string, string>;
  return {
    stores: adminStoresOf(env, settings),
    close: async () => {
      await dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function adminStoresOf({ DB, FILES }: Bindings, settings: Record<string, string>) {
  const baseUrl = settings.BASE_URL || `http://localhost:${settings.PORT || 8787}`;
  return {
    moderation: new D1Moderation(DB, { key: MAKER_KEY_LIFE_MS, maker: MAKER_LIFE_MS }),
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
