/** Provides the service's databases and bucket in memory, for tests of scripts. */
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';

/** Returns the bindings `ACCOUNTS`, `LINKS` and `DB` (D1) and `FILES` (R2). The caller must dispose of them. */
export const localBindings = (): Miniflare =>
  new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      telemetry: { enabled: false },
      modules: true,
      script: 'export default { fetch: () => new Response() }',
      d1Databases: ['ACCOUNTS', 'LINKS', 'DB'],
      r2Buckets: ['FILES'],
    }),
  );
