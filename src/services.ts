/** Bindings to ports: the only file that knows the adapters. */
import { Access } from './access/access.ts';
import { D1Keys } from './adapters/d1-keys.ts';
import { D1Links } from './adapters/d1-links.ts';
import { DurableCounters } from './adapters/durable-counters.ts';
import { MediaClient, type SendToMedia } from './adapters/media-client.ts';
import { toContainer } from './adapters/media-container.ts';
import { missingPrograms, toProcess } from './adapters/media-process.ts';
import { R2Files } from './adapters/r2-files.ts';
import { type Config, readConfig } from './core/config.ts';
import { unavailable } from './core/errors.ts';
import type { MediaPort, Ports } from './core/ports.ts';

export interface Services {
  config: Config;
  storage: R2Files;
  links: D1Links;
  keys: D1Keys;
  access: Access;
  ports: Ports;
  /** What is not there or not well, each with what brings it; empty where all is well. */
  missing(): Promise<string[]>;
}

let built: { env: Cloudflare.Env; services: Services } | undefined;

/** The services over these bindings, built once. Throws 503 naming every setting that is wrong. */
export function servicesOf(env: Cloudflare.Env): Services {
  if (built?.env === env) return built.services;
  const config = readConfig(env as unknown as Record<string, unknown>);
  if ('findings' in config) {
    throw unavailable(`The service is not set up: ${config.findings.join('; ')}.`, 60);
  }
  const storage = new R2Files(env.FILES, config.storageUrl);
  const keys = new D1Keys(env.DB);
  const links = new D1Links(env.DB, config.baseUrl);
  const services: Services = {
    config,
    storage,
    links,
    keys,
    access: new Access(keys, config.rateLimits ? new DurableCounters(env.LIMITS) : null),
    ports: { storage, links, media: mediaOf(env, config) },
    missing: async () => (config.mediaUrl ? missingPrograms(config.mediaUrl) : []),
  };
  built = { env, services };
  return services;
}

function mediaOf(env: Cloudflare.Env, config: Config): MediaPort {
  const send: SendToMedia = config.mediaUrl ? toProcess(config.mediaUrl) : toContainer(env.MEDIA);
  return new MediaClient(send, config.mediaSecret);
}
