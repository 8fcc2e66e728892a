/** Connects bindings to ports. Only this file and the entry point import the adapters. */
import { waitUntil } from 'cloudflare:workers';
import { Access } from './access/access.ts';
import { Blocks, LOCAL_AGES } from './access/blocks.ts';
import { CrossOriginPolicy } from './access/cross-origin-policy.ts';
import { CountedStorage } from './access/storage-budget.ts';
import { Advertisements } from './adapters/advertisements.ts';
import { BrowserRun } from './adapters/browser-run.ts';
import { CachedKeys } from './adapters/cached-keys.ts';
import { CachedResults } from './adapters/cached-results.ts';
import { allSinks, analyticsEngine, CallLog, CallMetrics } from './adapters/call-sinks.ts';
import { CaptureSlots } from './adapters/capture-slots.ts';
import { currentUsage } from './adapters/current-usage.ts';
import { D1Accounts } from './adapters/d1-accounts.ts';
import { D1AgentFiles } from './adapters/d1-agent-files.ts';
import { D1Health } from './adapters/d1-health.ts';
import { D1Keys } from './adapters/d1-keys.ts';
import { D1Links } from './adapters/d1-links.ts';
import { D1Moderation } from './adapters/d1-moderation.ts';
import { D1Sessions } from './adapters/d1-sessions.ts';
import { D1Uploads } from './adapters/d1-uploads.ts';
import { D1Usage } from './adapters/d1-usage.ts';
import { D1Vectors } from './adapters/d1-vectors.ts';
import { DiskSpace } from './adapters/disk-space.ts';
import { DurableAnswers } from './adapters/durable-answers.ts';
import { DurableJobs } from './adapters/durable-jobs.ts';
import { EdgeEgress } from './adapters/egress-edge.ts';
import { MediaEgress } from './adapters/egress-media.ts';
import { faviconProxy } from './adapters/favicon-proxy.ts';
import { guardOf } from './adapters/guard.ts';
import { guardedBucket } from './adapters/guarded-bucket.ts';
import { guardedDatabase } from './adapters/guarded-database.ts';
import { logDown, partsOf } from './adapters/health-checks.ts';
import { LargeCalls } from './adapters/large-calls.ts';
import { LinkReputation } from './adapters/link-reputation.ts';
import { MediaClient } from './adapters/media-client.ts';
import { containerPools } from './adapters/media-container.ts';
import { type SendToMedia, toFleet } from './adapters/media-fleet.ts';
import { missingPrograms, toProcess } from './adapters/media-process.ts';
import { MediaRouting } from './adapters/media-routing.ts';
import type { ModelProvider } from './adapters/model-provider.ts';
import { Models } from './adapters/models.ts';
import { OpenAiCompatible } from './adapters/openai-compatible.ts';
import { R2Cache } from './adapters/r2-cache.ts';
import { R2Files } from './adapters/r2-files.ts';
import { R2Moderation } from './adapters/r2-moderation.ts';
import { sendReportTo } from './adapters/report-webhook.ts';
import { serviceMetrics } from './adapters/service-metrics.ts';
import { withTimeLimit } from './adapters/storage-time.ts';
import { SYSTEM_CLOCK } from './adapters/system-clock.ts';
import { GatheringRecorder } from './adapters/usage-recorder.ts';
import { type AiBinding, WorkersAi } from './adapters/workers-ai.ts';
import { Library } from './content/library.ts';
import { type IndexFile, PassageIndex } from './content/passage-index.ts';
import { type Config, readConfig } from './core/config.ts';
import type { LibraryFile } from './core/content.ts';
import { unavailable } from './core/errors.ts';
import { checkParts } from './core/health.ts';
import { HealthHistory } from './core/health-history.ts';
import type { EgressPort } from './core/ports.ts';
import type { Use } from './core/usage-store.ts';
import { log } from './lib/log.ts';

export type Services = ReturnType<typeof build>;

/** The time limit for reading the list of blocks, in milliseconds. It is short, because calls may wait for the list. */
const BLOCKS_LIMIT_MS = 3000;

let built: { env: Cloudflare.Env; services: Services } | undefined;

/** Builds the services from these bindings once. Throws 503 with the name of every invalid setting. */
export function servicesOf(env: Cloudflare.Env): Services {
  if (built?.env === env) return built.services;
  const config = readConfig(env as unknown as Record<string, unknown>);
  if ('findings' in config) {
    throw unavailable(`The service is not configured: ${config.findings.join('; ')}.`, 60);
  }
  built = { env, services: build(env, config) };
  return built.services;
}

function build(env: Cloudflare.Env, config: Config) {
  const disk = new DiskSpace(env.DISK);
  const accounts = guardedDatabase(env.ACCOUNTS, disk);
  const main = guardedDatabase(env.DB, disk);
  const shortLinks = guardedDatabase(env.LINKS, disk);
  const bucket = guardedBucket(env.FILES, disk);
  const counters = config.rateLimits ? (subject: string) => env.LIMITS.getByName(subject) : null;
  const ledger = config.limitsStorage ? () => env.LEDGER.getByName('service') : null;
  const budget = new CountedStorage(counters, ledger);
  const moderation = new D1Moderation(accounts, shortLinks);
  // On Cloudflare, the URLs are unset, because the media workers are Containers.
  const isLocal = config.mediaUrls.length > 0;
  const blocks = new Blocks(
    () => withTimeLimit(moderation.snapshot(Date.now()), undefined, BLOCKS_LIMIT_MS),
    waitUntil,
    isLocal ? LOCAL_AGES : undefined,
  );
  const storage = new R2Files(bucket, config.storageUrl, budget, blocks.makerOf);
  const openLinks = isLocal ? undefined : () => caches.open('links');
  const links = new D1Links(shortLinks, config.baseUrl, blocks.makerOf, openLinks);
  const cache = new R2Cache(bucket, budget);
  const staticFile = (name: string) => env.STATIC.fetch(`https://static/${name}`);
  const readStatic = async <T>(name: string): Promise<T> => (await staticFile(name)).json<T>();
  const keys = new D1Keys(accounts);
  const stores = {
    keys,
    accounts: new D1Accounts(accounts, main),
    sessions: new D1Sessions(accounts),
    usage: currentUsage(new D1Usage(accounts), keys, counters),
    uploads: new D1Uploads(main),
    agentFiles: new D1AgentFiles(main),
  };
  const results = new CachedResults(cache);
  const media = toFleet(new MediaRouting(mediaPools(env, config)), SYSTEM_CLOCK);
  const egress = egressOf(config, media);
  const slots = new CaptureSlots(
    env.BROWSERS_OF_REGION,
    config.mediaRegions,
    guardOf('browser pool', disk),
  );
  const recorder = new GatheringRecorder(stores.usage, stores.keys);
  const access = new Access(
    { keys: isLocal ? keys : new CachedKeys(keys), sessions: stores.sessions },
    counters,
    env.CALLS ? withoutAnonymous(recorder) : recorder,
    blocks,
    config.requireSignIn,
  );
  const largeCalls = new LargeCalls();
  const callMetrics = new CallMetrics();
  const startedAt = Date.now();
  const health = new HealthHistory(
    new D1Health(main),
    (wakes) => checkParts(partsOf(env, config, media, wakes), logDown),
    (cause) => log('error', 'health-history-failed', { cause }),
  );
  return {
    config,
    crossOriginPolicy: new CrossOriginPolicy(config.allowed),
    storage,
    links,
    ports: {
      storage,
      links,
      media: new MediaClient(media, config.mediaSecret, config.rateLimits),
      models: new Models(providersOf(env, config)),
      cache,
      results,
      egress,
      favicons: faviconProxy(config.faviconProxyUrl, config.egressHosts, egress),
      browser: browserOf(env, config, slots, egress, media),
    },
    /** The documents, which each isolate reads once. */
    library: once(async () => new Library(await readStatic<LibraryFile>('documents.json'))),
    /** The search index, which each isolate reads once. */
    passages: once(async () => new PassageIndex(await readStatic<IndexFile>('search.json'))),
    vectors: new D1Vectors(main),
    access,
    blocks,
    moderation,
    hosted: new R2Moderation(bucket, (...freed) => budget.freed(...freed)),
    reputation: new LinkReputation(config.linkReputationUrl),
    /** Notifies the operator of a new report, after the response. */
    sendReport: sendReportTo(config.abuseWebhook, waitUntil),
    /** Returns a file of the folder `.static`, which is deployed with the bundle (scripts/build.ts). */
    staticFile,
    budget,
    disk,
    jobs: new DurableJobs(env.JOBS, budget, disk),
    answers: new DurableAnswers(env.ANSWERS, disk),
    largeCalls,
    ...stores,
    health,
    calls: allSinks(
      [callMetrics, new CallLog(), ...(env.CALLS ? [analyticsEngine(env.CALLS)] : [])],
      config.logSuccesses,
    ),
    /** Returns the metrics of this isolate. */
    collectMetrics: () =>
      serviceMetrics({
        startedAt,
        health,
        slots,
        largeCalls,
        calls: callMetrics,
        refusals: access.refusals,
        // Only plain processes are read, because reading a Container's queues would wake it.
        media: config.mediaUrls.map(toProcess),
      }),
    /** Returns the missing or failing parts, each with its remedy. */
    missing: () => missingPrograms(config.mediaUrls),
    /** Writes collected visits and usage to the database. */
    flush: async () => {
      await Promise.all([links.flush(), recorder.flush()]);
    },
  };
}

/** Caches the first result that `make` returns. A failure is not cached. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: { value: T } | undefined;
  // A request cannot await another request's promise, so concurrent first requests may each create the value.
  return async () => {
    made ??= { value: await make() };
    return made.value;
  };
}

/** Records no anonymous calls. Analytics Engine counts them if it is bound. */
const withoutAnonymous = (recorder: GatheringRecorder) => ({
  note(use: Use) {
    if (use.keyId !== null || use.accountId !== null) recorder.note(use);
  },
});

const mediaPools = (env: Cloudflare.Env, { mediaUrls, mediaInstances, mediaRegions }: Config) =>
  mediaUrls.length > 0
    ? [{ region: undefined, instances: mediaUrls.map(toProcess) }]
    : containerPools(env.MEDIA, mediaInstances, mediaRegions);

function browserOf(
  env: Cloudflare.Env,
  config: Config,
  slots: CaptureSlots,
  egress: EgressPort,
  media: SendToMedia,
): BrowserRun {
  const advertisements = new Advertisements(media, config.mediaSecret);
  return new BrowserRun(env.BROWSER, slots, egress, advertisements, {
    isOn: config.screenshots,
    seconds: config.screenshotSeconds,
    fallback: config.screenshotFallbackUrl,
  });
}

/** Returns the configured and available model providers, in the configured order. */
function providersOf(env: Cloudflare.Env, { models }: Config): ModelProvider[] {
  return models.order.flatMap((name): ModelProvider[] => {
    if (name === 'openai') return models.openai ? [new OpenAiCompatible(models.openai)] : [];
    return env.AI ? [new WorkersAi(env.AI as unknown as AiBinding)] : [];
  });
}

/**
 * With `npm start`, requests are sent through the media worker, which connects only to the address that was checked.
 * Containers have no network access.
 */
function egressOf(config: Config, media: SendToMedia): EgressPort {
  const agent = `${config.serviceName.replace(/[^A-Za-z0-9._-]/g, '') || 'Tools'}MetadataBot`;
  return config.mediaUrls.length > 0
    ? new MediaEgress(agent, media, config.mediaSecret)
    : new EdgeEgress(agent, config.dnsOverHttpsUrl);
}
