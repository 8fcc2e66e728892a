/** The bindings of wrangler.toml and the variables of core/config.ts. */
declare namespace Cloudflare {
  interface Env {
    FILES: R2Bucket;
    DB: D1Database;
    BROWSER: Fetcher;
    MEDIA: DurableObjectNamespace<import('./adapters/media-container.ts').MediaContainer>;
    SERVICE_NAME?: string;
    BASE_URL?: string;
    STORAGE_URL?: string;
    MEDIA_URL?: string;
    MEDIA_SECRET?: string;
    DNS_OVER_HTTPS_URL?: string;
    EGRESS_HOSTS?: string;
    FAVICON_PROXY_URL?: string;
    SCREENSHOTS?: string;
    SCREENSHOT_FALLBACK_URL?: string;
  }
}
