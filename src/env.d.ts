/** Declares the bindings of wrangler.toml and variables of core/settings.ts. */
declare namespace Cloudflare {
  interface Env {
    FILES: R2Bucket;
    /** The database of accounts, keys, sessions, usage and moderation. */
    ACCOUNTS: D1Database;
    /** The database of short links. */
    LINKS: D1Database;
    /** The database of uploads, agents' files, health checks and vectors. */
    DB: D1Database;
    BROWSER: Fetcher;
    /** The files that are deployed with the bundle: the site, the documents and their search index. */
    STATIC: Fetcher;
    /** Receives the data points for calls. The binding exists only on Cloudflare. */
    CALLS?: AnalyticsEngineDataset;
    /** The Workers AI binding, which exists only on Cloudflare. */
    AI?: Ai;
    MEDIA: DurableObjectNamespace<import('./adapters/media-container.ts').MediaContainer>;
    LIMITS: DurableObjectNamespace<import('./access/rate-limiter.ts').SubjectLimiter>;
    JOBS: DurableObjectNamespace<import('./jobs/job.ts').Job>;
    BROWSERS_OF_REGION: DurableObjectNamespace<
      import('./adapters/region-browsers.ts').RegionBrowsers
    >;
    /** The app uses this binding only if MAX_STORAGE is set. */
    LEDGER: DurableObjectNamespace<import('./adapters/storage-ledger.ts').StorageLedger>;
    /** Reports the free disk space. The binding exists only with `npm start`. */
    DISK?: Fetcher;
    ANSWERS: DurableObjectNamespace<import('./idempotency/answer-record.ts').AnswerRecord>;
    SERVICE_NAME?: string;
    BASE_URL?: string;
    STORAGE_URL?: string;
    ALLOWED_HOSTS?: string;
    ALLOWED_ORIGINS?: string;
    MEDIA_URL?: string;
    MEDIA_URLS?: string;
    MEDIA_SECRET?: string;
    MEDIA_INSTANCES?: string;
    MEDIA_REGIONS?: string;
    METRICS_TOKEN?: string;
    LOG_SUCCESSES?: string;
    ADMIN_ACCOUNTS?: string;
    ABUSE_WEBHOOK?: string;
    LINK_REPUTATION_URL?: string;
    OPERATOR_NAME?: string;
    OPERATOR_CONTACT?: string;
    OPERATOR_JURISDICTION?: string;
    /** Describes, as JSON, how workerd and the browser are confined. It is set only with `npm start`. */
    CONFINEMENT?: string;
    RATE_LIMITS?: string;
    MAX_STORAGE?: string;
    OPENAI_BASE_URL?: string;
    OPENAI_API_KEY?: string;
    MODEL_TEXT?: string;
    MODEL_IMAGE?: string;
    MODEL_VISION?: string;
    MODEL_EMBED?: string;
    MODEL_ORDER?: string;
    GITHUB_CLIENT_ID?: string;
    GITHUB_CLIENT_SECRET?: string;
    GITHUB_URL?: string;
    GITHUB_API_URL?: string;
    DNS_OVER_HTTPS_URL?: string;
    EGRESS_HOSTS?: string;
    FAVICON_PROXY_URL?: string;
    SCREENSHOTS?: string;
    BROWSERS?: string;
    SCREENSHOT_FALLBACK_URL?: string;
  }
}
