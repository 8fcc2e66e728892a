/**
 * The entry point of the Worker. It exports the app, the scheduled jobs, and the Container and Durable Object classes.
 */
import { SubjectLimiter } from './access/rate-limiter.ts';
import { D1Keys } from './adapters/d1-keys.ts';
import { handle } from './app.ts';
import { cleanUp } from './clean-up.ts';
import { embedPassages } from './content/embed-passages.ts';
import { versionOf } from './core/key-store.ts';
import type { UsageEntry } from './core/usage-store.ts';
import { log } from './lib/log.ts';
import { type Services, servicesOf } from './services.ts';

export { MediaContainer } from './adapters/media-container.ts';
export { RegionBrowsers } from './adapters/region-browsers.ts';
export { StorageLedger } from './adapters/storage-ledger.ts';
export { AnswerRecord } from './idempotency/answer-record.ts';
export { Job } from './jobs/job.ts';

/**
 * Counts the calls of one subject. The database access is in this class, because its base class must not import the
 * adapters.
 */
export class RateLimiter extends SubjectLimiter {
  protected override async writeUsage(entries: readonly UsageEntry[]): Promise<void> {
    const { usage, keys } = servicesOf(this.env);
    const ids = entries.flatMap(({ keyId }) => keyId ?? []);
    await usage.add(entries);
    await keys.touchLastUsed([...new Set(ids)], Math.max(...entries.map(({ at }) => at)));
  }

  protected override async readKeyVersion(id: string): Promise<string> {
    const key = await new D1Keys(this.env.ACCOUNTS).get(id);
    return key ? versionOf(key) : 'deleted';
  }
}

/** The name of the schedule that `npm start` runs on shutdown. It writes the collected data. */
const STOPPING = 'stop';
/** The schedule of the health checks (wrangler.toml). The other schedule runs the clean-up. */
const CHECKING = '*/5 * * * *';

export default {
  fetch: handle,
  async scheduled({ cron }, env) {
    const services = servicesOf(env);
    await services.flush();
    if (cron === STOPPING) return;
    if (cron === CHECKING) {
      await services.health.check(false);
      return;
    }
    const deleted = await cleanUp(services, Date.now());
    await embedNewPassages(services);
    if (deleted > 0) log('info', 'clean-up', { deleted });
  },
} satisfies ExportedHandler<Cloudflare.Env>;

async function embedNewPassages({ passages, ports, vectors }: Services): Promise<void> {
  const index = await passages();
  const embedded = await embedPassages(ports.models, vectors, index.passages);
  if (embedded > 0) log('info', 'embedded', { passages: embedded });
}
