/** Reads an environment from wrangler.toml, and finds problems that prevent its deployment. */
import { unstable_readConfig } from 'wrangler';
import { checkSettings } from '../../src/core/config.ts';
import { listed } from '../../src/core/setting-checks.ts';
import { MEDIA_INSTANCES, SETTINGS } from '../../src/core/settings.ts';
import type { EnvironmentName } from './environment-bindings.ts';

/** The databases that the service uses (ADR 99). */
const DATABASES = ['ACCOUNTS', 'LINKS', 'DB'];

/** The fields of wrangler's configuration that the deployment reads. */
interface WranglerConfig {
  name?: string;
  vars: Record<string, unknown>;
  routes?: (string | { pattern: string; custom_domain?: boolean })[];
  workers_dev?: boolean;
  r2_buckets: { bucket_name?: string }[];
  d1_databases: { binding: string; database_name?: string }[];
  containers?: { image?: string; max_instances?: number }[];
}

export interface Environment {
  name: EnvironmentName;
  /** The Worker's name on Cloudflare. */
  worker: string;
  /** The variables in [env.NAME.vars]. */
  settings: Record<string, unknown>;
  baseUrl: string | undefined;
  storageUrl: string | undefined;
  /** The Worker's hosts that are custom domains in its routes. */
  customDomains: string[];
  hasWorkersDev: boolean;
  bucket: string;
  databases: { binding: string; name: string }[];
  /** Whether the deployment builds an image, which needs Docker. */
  buildsImage: boolean;
  /** The maximum number of media worker instances. */
  maxInstances: number;
}

/**
 * Reads the environment from ./wrangler.toml. Throws if the file is invalid, or if it does not have exactly one bucket
 * and the service's databases.
 */
export function readEnvironment(name: EnvironmentName): Environment {
  const config: WranglerConfig = unstable_readConfig(
    { config: 'wrangler.toml', env: name },
    { hideWarnings: true },
  );
  const [bucket, ...otherBuckets] = config.r2_buckets;
  const databases = config.d1_databases.map(({ binding, database_name }) => ({
    binding,
    name: database_name ?? '',
  }));
  if (!bucket?.bucket_name || otherBuckets[0] || !areTheKnown(databases)) {
    throw new Error(
      `env.${name} in wrangler.toml needs one bucket and the databases ${DATABASES.join(', ')}, each with its own name. Run: npm run gen`,
    );
  }
  const variable = (key: string) => config.vars[key] as string | undefined;
  return {
    name,
    worker: config.name ?? '',
    settings: config.vars,
    baseUrl: variable('BASE_URL'),
    storageUrl: variable('STORAGE_URL'),
    customDomains: (config.routes ?? []).flatMap((route) =>
      typeof route === 'object' && route.custom_domain ? [route.pattern] : [],
    ),
    hasWorkersDev: config.workers_dev === true,
    bucket: bucket.bucket_name,
    databases,
    buildsImage: (config.containers ?? []).some(({ image }) => /^\.{0,2}\//.test(image ?? '')),
    maxInstances: config.containers?.[0]?.max_instances ?? 0,
  };
}

/** Whether the list contains exactly the databases that the service uses, each with its own name. */
export function areTheKnown(databases: Environment['databases']): boolean {
  const bindings = databases.map(({ binding }) => binding);
  const names = new Set(databases.map(({ name }) => name).filter(Boolean));
  return (
    bindings.length === DATABASES.length &&
    names.size === DATABASES.length &&
    DATABASES.every((binding) => bindings.includes(binding))
  );
}

/** Returns one message per problem that prevents a deployment, with its fix. */
export function deploymentFindings(environment: Environment): string[] {
  const { baseUrl, storageUrl, name, settings } = environment;
  const findings = [
    ...checkSettings(settings).map((finding) => `[env.${name}.vars] of wrangler.toml: ${finding}.`),
    ...SETTINGS.filter((setting) => setting.secret && setting.name in settings).map(
      ({ name: key }) =>
        `${key} is a secret. Remove it from wrangler.toml and run: npx wrangler secret put ${key} --env ${name}`,
    ),
    ...instancesFindings(environment),
    ...findingsOf(environment, 'BASE_URL', baseUrl),
    ...findingsOf(environment, 'STORAGE_URL', storageUrl),
  ];
  if (name === 'production' && baseUrl && hostOf(baseUrl) === hostOf(storageUrl)) {
    findings.push(
      'STORAGE_URL has the same host as BASE_URL, but stored files must not share its origin. Use a second host in [env.production].',
    );
  }
  return findings;
}

function instancesFindings({ name, settings, maxInstances }: Environment): string[] {
  const regions = settings.MEDIA_REGIONS ? listed(String(settings.MEDIA_REGIONS)).length : 1;
  const needed = Number(settings.MEDIA_INSTANCES || MEDIA_INSTANCES) * regions;
  if (needed <= maxInstances) return [];
  return [
    `[env.${name}.vars] needs ${needed} instances of the media worker, but max_instances is ${maxInstances}. Raise it in [[containers]] of wrangler.toml and run: npm run gen`,
  ];
}

function findingsOf(environment: Environment, setting: string, address: string | undefined) {
  const { name, customDomains, hasWorkersDev, worker } = environment;
  const host = hostOf(address);
  if (address === undefined)
    return [`${setting} is not set. Set it in [env.${name}.vars] of wrangler.toml.`];
  if (host === undefined || !address.startsWith('https://')) {
    return [`${setting} must be an https URL. Change it in [env.${name}.vars] of wrangler.toml.`];
  }
  if (/(^|\.)example\.(com|net|org)$/.test(host)) {
    return [
      `${setting} is still the example ${address}. Replace ${host} with your host in [env.${name}] of wrangler.toml: in routes and in vars.`,
    ];
  }
  const isRouted = host.endsWith('.workers.dev')
    ? hasWorkersDev && host.startsWith(`${worker}.`)
    : customDomains.includes(host);
  if (isRouted) return [];
  return host.endsWith('.workers.dev')
    ? [
        `${host} does not reach the Worker ${worker}. Set workers_dev = true and name = "${host.split('.')[0]}" in [env.${name}].`,
      ]
    : [
        `No route matches ${host} (from ${setting}). Add { pattern = "${host}", custom_domain = true } to routes in [env.${name}].`,
      ];
}

const hostOf = (address: string | undefined): string | undefined =>
  URL.parse(address ?? '')?.hostname;
