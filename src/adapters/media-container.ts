/** The media worker as a Cloudflare Container: how big, how long it stays awake, which instance takes a call. */
import { Container, getRandom } from '@cloudflare/containers';
import type { SendToMedia } from './media-client.ts';

const PORT = 8080;
/** As `max_instances` in wrangler.toml. */
const INSTANCES = 5;

export class MediaContainer extends Container<Cloudflare.Env> {
  override defaultPort = PORT;
  override sleepAfter = '10m';
  override enableInternet = false;
  override envVars = { MEDIA_SECRET: this.env.MEDIA_SECRET ?? '' };
}

/** Sends to one of the instances. */
export function toContainer(namespace: DurableObjectNamespace<MediaContainer>): SendToMedia {
  return async (path, init) => {
    const instance = await getRandom(namespace, INSTANCES);
    return instance.fetch(new Request(`http://media${path}`, init));
  };
}
