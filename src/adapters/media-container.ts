/**
 * Runs the media worker on Cloudflare Containers. Decides how long a Container stays awake and when it is restarted.
 */
import { Container } from '@cloudflare/containers';
import { MEDIA_HEADERS } from '../core/media-headers.ts';
import type { Region } from '../core/regions.ts';
import { log } from '../lib/log.ts';
import type { SendToInstance } from './media-fleet.ts';
import type { Pool } from './media-routing.ts';

const PORT = 8080;
const LIVE_LIMIT_MS = 5000;

export class MediaContainer extends Container<Cloudflare.Env> {
  override defaultPort = PORT;
  /** The path that returns success once the worker has found its programs. */
  override pingEndpoint = 'media/ready';
  /** The time after which an idle Container is put to sleep. It must exceed the duration of the longest operation. */
  override sleepAfter = '10m';
  override enableInternet = false;
  override envVars = { MEDIA_SECRET: this.env.MEDIA_SECRET ?? '' };

  /** Sends a request to the Container. If the Container is asleep, starting it can take up to 28 seconds. */
  override async fetch(request: Request): Promise<Response> {
    if (new URL(request.url).pathname === '/live') return this.#live();
    const response = await super.fetch(request);
    // The base class reports an unreachable Container but does not restart it, so `#live` checks whether the Container
    // still responds.
    if (response.status >= 500 && !response.headers.has(MEDIA_HEADERS.load)) await this.#live();
    return response;
  }

  /**
   * Checks whether the Container responds. If it runs but does not respond, kills it and returns 503. The next call
   * starts it again.
   */
  async #live(): Promise<Response> {
    const { container } = this.ctx;
    const { status } = await this.getState();
    // A Container that sleeps or is still starting cannot respond yet, so it is not killed.
    if (!container?.running || status !== 'healthy') return new Response();
    try {
      const signal = AbortSignal.timeout(LIVE_LIMIT_MS);
      return await container.getTcpPort(PORT).fetch('http://media/live', { signal });
    } catch (error) {
      log('error', 'container-killed', { cause: error });
      await this.destroy();
      return new Response(null, { status: 503 });
    }
  }
}

/** The part of the Durable Object namespace that this module uses. */
export interface Instances {
  getByName(
    name: string,
    options?: { locationHint?: Region },
  ): { fetch(request: Request): Promise<Response> };
}

/**
 * Returns a pool of `instances` Containers for each region. If there are no regions, returns one pool, which is created
 * near its first caller.
 */
export function containerPools(
  namespace: Instances,
  instances: number,
  regions: readonly Region[],
): Pool<SendToInstance>[] {
  const pool = (region?: Region): Pool<SendToInstance> => ({
    region,
    instances: Array.from({ length: instances }, (_, number) => {
      const name = region ? `${region}-${number}` : `instance-${number}`;
      return (path, init) =>
        namespace
          .getByName(name, region && { locationHint: region })
          .fetch(new Request(`http://media${path}`, init));
    }),
  });
  return regions.length > 0 ? regions.map(pool) : [pool()];
}
