/** Checks the health of each part of the service. No check calls a model or launches a browser. */
import type { Config } from '../core/config.ts';
import type { Confinement } from '../core/confinement.ts';
import type { Finding, Part } from '../core/health.ts';
import { log } from '../lib/log.ts';
import type { SendToMedia } from './media-fleet.ts';
import { toProcess } from './media-process.ts';

/** The media worker's response to `GET /health`. */
interface MediaReport {
  missing: { program: string; package: string }[];
  confinement: Confinement;
  /** The number of free bytes on the media worker's disk. */
  freeBytes: number;
}

/** The number of free bytes below which uploads and results of ordinary size may fail. */
const LOW_BYTES = 1024 ** 3;
/** The name of the Durable Object and of the file that only health checks use. */
const NAME = 'health';

const EACH_LIMIT_MS = 800;

const OK: Finding = { state: 'ok' };
const UNCONFIGURED: Finding = { state: 'unconfigured' };
const UNCHECKED: Finding = { state: 'unchecked' };

/** Logs the error that a check has thrown. */
export const logDown = (part: string, cause: unknown): void =>
  log('warn', 'part-is-down', { part, cause });

/** `wakes` indicates whether the check may start a sleeping Container, which costs money. */
export function partsOf(
  env: Cloudflare.Env,
  config: Config,
  sendToMedia: SendToMedia,
  wakes: boolean,
): Part[] {
  let requested: Promise<MediaReport> | undefined;
  const media = (signal: AbortSignal): Promise<MediaReport> => {
    requested ??= sendToMedia('/health', { signal }).then((response) =>
      response.json<MediaReport>(),
    );
    return requested;
  };
  const ofMedia =
    (find: (report: MediaReport) => Finding): Part['check'] =>
    async (signal) =>
      wakes || config.mediaUrls.length > 0 ? find(await media(signal)) : UNCHECKED;
  return [
    { name: 'accounts', check: () => queried(env.ACCOUNTS) },
    { name: 'links', check: () => queried(env.LINKS) },
    { name: 'database', check: () => queried(env.DB) },
    { name: 'files', check: () => env.FILES.head(NAME).then(ok) },
    {
      name: 'documents',
      check: async () => {
        const response = await env.STATIC.fetch('https://static/documents.json');
        await response.body?.cancel();
        return response.ok
          ? OK
          : { state: 'down', detail: `it returned status ${response.status}` };
      },
    },
    {
      name: 'limiter',
      check: async () =>
        config.rateLimits ? ok(await env.LIMITS.getByName(NAME).remainingQuotas([])) : UNCONFIGURED,
    },
    { name: 'jobs', check: async () => ok(await env.JOBS.getByName(NAME).read(null)) },
    {
      name: 'media',
      check:
        config.mediaUrls.length > 1
          ? (signal) => checkEach(config.mediaUrls, signal)
          : ofMedia(({ missing }) =>
              missing.length === 0 ? OK : { state: 'degraded', detail: { missing } },
            ),
    },
    {
      name: 'disk',
      check: ofMedia(({ freeBytes }) => ({
        state: freeBytes < LOW_BYTES ? 'degraded' : 'ok',
        detail: { freeBytes },
      })),
    },
    {
      name: 'confinement',
      check: ofMedia(({ confinement: programs }) => {
        const detail: Record<string, Confinement> = {
          programs,
          ...JSON.parse(env.CONFINEMENT ?? '{}'),
        };
        const isWhole = Object.values(detail).every(({ off }) => off.length === 0);
        return { state: isWhole ? 'ok' : 'degraded', detail };
      }),
    },
    {
      name: 'browser',
      check: async (signal) => {
        if (!config.screenshots) return UNCONFIGURED;
        const response = await env.BROWSER.fetch('https://browser/v1/sessions', { signal });
        await response.body?.cancel();
        return response.ok
          ? OK
          : { state: 'down', detail: `it returned status ${response.status}` };
      },
    },
    {
      name: 'models',
      check: async () => (config.models.openai || env.AI ? OK : UNCONFIGURED),
    },
  ];
}

/**
 * Checks several media workers. Returns `degraded` if one of them does not respond or lacks programs. Throws if none
 * responds.
 */
async function checkEach(addresses: readonly string[], signal: AbortSignal): Promise<Finding> {
  // Each worker has a shorter time limit than the whole check, so that the check can name the workers that do not
  // respond.
  const early = AbortSignal.any([signal, AbortSignal.timeout(EACH_LIMIT_MS)]);
  const checked = await Promise.all(
    addresses.map(async (address) => {
      const report = await toProcess(address)('/health', { signal: early })
        .then((response) => response.json<MediaReport>())
        .catch(() => null);
      return { host: new URL(address).host, answers: report !== null, missing: report?.missing };
    }),
  );
  if (checked.every(({ answers }) => !answers)) throw new Error('no media worker responds');
  const lacking = checked.filter(({ answers, missing }) => !answers || missing!.length > 0);
  return lacking.length === 0 ? OK : { state: 'degraded', detail: lacking };
}

const queried = (database: D1Database): Promise<Finding> =>
  database.prepare('SELECT 1').first().then(ok);

const ok = (_answer: unknown): Finding => OK;
