/** The media worker as a Cloudflare Container: how long it stays awake, and which instance takes a call. */
import { Container } from '@cloudflare/containers';
import type { SendToMedia } from './media-client.ts';

const PORT = 8080;
/** Equals `max_instances` in wrangler.toml. */
const INSTANCES = 5;
/** Calls per instance before the next instance is used: one per core (`instance_type` in wrangler.toml). */
const WORKING = 2;

export class MediaContainer extends Container<Cloudflare.Env> {
  override defaultPort = PORT;
  override pingEndpoint = 'media/ready';
  /** Longer than the longest operation. */
  override sleepAfter = '10m';
  override enableInternet = false;
  override envVars = { MEDIA_SECRET: this.env.MEDIA_SECRET ?? '' };
  #inFlight = 0;

  /** Requests whose responses have not ended. Reading it does not wake the instance. */
  load(): number {
    return this.#inFlight;
  }

  override async fetch(request: Request): Promise<Response> {
    this.#inFlight += 1;
    const leave = () => {
      this.#inFlight -= 1;
    };
    let response: Response;
    try {
      response = await super.fetch(request);
    } catch (error) {
      leave();
      throw error;
    }
    if (!response.body) {
      leave();
      return response;
    }
    const { readable, writable } = new IdentityTransformStream();
    response.body
      .pipeTo(writable)
      .catch(() => undefined)
      .finally(leave);
    return new Response(readable, response);
  }
}

/** The part of the namespace that is needed to find an instance. */
export interface Instances {
  getByName(name: string): {
    load(): Promise<number>;
    fetch(request: Request): Promise<Response>;
  };
}

/**
 * Sends to the first instance with a free core, so that the last ones can sleep; if there is none, to the one with the
 * fewest requests.
 */
export function toContainer(namespace: Instances): SendToMedia {
  return async (path, init) => {
    let best = { instance: namespace.getByName('instance-0'), load: Number.POSITIVE_INFINITY };
    for (let number = 0; number < INSTANCES && best.load >= WORKING; number += 1) {
      const instance = namespace.getByName(`instance-${number}`);
      const load = await instance.load();
      if (load < best.load) best = { instance, load };
    }
    return best.instance.fetch(new Request(`http://media${path}`, init));
  };
}
