/** Bindings to ports: the only file that knows the adapters. */
import { BrowserRun } from './adapters/browser-run.ts';
import { D1Links } from './adapters/d1-links.ts';
import { EdgeEgress } from './adapters/egress-edge.ts';
import { MediaEgress } from './adapters/egress-media.ts';
import { faviconProxy } from './adapters/favicon-proxy.ts';
import { MediaClient, type SendToMedia } from './adapters/media-client.ts';
import { toContainer } from './adapters/media-container.ts';
import { missingPrograms, toProcess } from './adapters/media-process.ts';
import { R2Files } from './adapters/r2-files.ts';
import { R2Results } from './adapters/r2-results.ts';
import { type Config, readConfig } from './core/config.ts';
import { unavailable } from './core/errors.ts';
import type { EgressPort, MediaPort, Ports } from './core/ports.ts';

export interface Services {
  config: Config;
  storage: R2Files;
  links: D1Links;
  results: R2Results;
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
  const links = new D1Links(env.DB, config.baseUrl);
  const results = new R2Results(env.FILES);
  const egress = egressOf(config);
  const services: Services = {
    config,
    storage,
    links,
    results,
    ports: {
      browser: new BrowserRun(env.BROWSER, egress, {
        isOn: config.screenshots,
        fallback: config.screenshotFallbackUrl,
      }),
      storage,
      links,
      results,
      egress,
      favicons: faviconProxy(config.faviconProxyUrl),
      media: mediaOf(env, config),
    },
    missing: async () => (config.mediaUrl ? missingPrograms(config.mediaUrl) : []),
  };
  built = { env, services };
  return services;
}

function mediaOf(env: Cloudflare.Env, config: Config): MediaPort {
  const send: SendToMedia = config.mediaUrl ? toProcess(config.mediaUrl) : toContainer(env.MEDIA);
  return new MediaClient(send, config.mediaSecret);
}

/** At home through the media worker, which pins what it judged; its Container has no way out. */
function egressOf(config: Config): EgressPort {
  const agent = `${config.serviceName.replace(/[^A-Za-z0-9._-]/g, '') || 'Tools'}MetadataBot`;
  return config.mediaUrl
    ? new MediaEgress(agent, toProcess(config.mediaUrl), config.mediaSecret)
    : new EdgeEgress(agent, config.dnsOverHttpsUrl);
}
