import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { MEDIA_INSTANCES, SETTINGS } from '../../src/core/settings.ts';
import { areTheKnown, deploymentFindings, readEnvironment } from './environment.ts';
import { ENVIRONMENTS, withEnvironmentBindings } from './environment-bindings.ts';

type Config = Record<string, unknown>;
type Database = ReturnType<typeof readEnvironment>['databases'][number];

const read = (env?: string): Config =>
  unstable_readConfig({ config: 'wrangler.toml', env: env ?? '' }, { hideWarnings: true }) as never;

/** The settings that an environment may override. */
const OWN = [
  'name',
  'vars',
  'routes',
  'workers_dev',
  'preview_urls',
  'targetEnvironment',
  'topLevelName',
  'dev',
  'definedEnvironments',
];

/** Returns the configuration without the keys that may differ, and with production's resource names. */
function comparable(config: Config): Config {
  const shared = Object.entries(config).filter(([key]) => !OWN.includes(key));
  const text = JSON.stringify(Object.fromEntries(shared), (key, value) =>
    key === 'database_id' ? undefined : value,
  );
  return JSON.parse(text.replaceAll(/"tools[-_]staging/g, '"tools'));
}

describe('the environments in wrangler.toml', () => {
  it.each(ENVIRONMENTS)('%s has every binding of the top level', (name) => {
    expect(comparable(read(name))).toEqual(comparable(read()));
  });

  it.each(ENVIRONMENTS)('%s finds its database by name, without an id in the file', (name) => {
    const [database] = read(name).d1_databases as { database_id?: string }[];
    expect(database?.database_id).toBeUndefined();
  });

  it.each(ENVIRONMENTS)('%s runs MEDIA_INSTANCES media workers', (name) => {
    expect(readEnvironment(name).maxInstances).toBe(MEDIA_INSTANCES);
  });

  it.each(ENVIRONMENTS)(
    '%s gives a container the DRAIN_SECONDS of its image to finish its calls',
    (name) => {
      const [container] = read(name).containers as { rollout_active_grace_period?: number }[];
      const dockerfile = readFileSync('containers/media/Dockerfile', 'utf8');
      const drain = Number(/DRAIN_SECONDS=(\d+)/.exec(dockerfile)?.[1]);
      expect(drain).toBe(container?.rollout_active_grace_period);
    },
  );

  it('have exactly three databases, each with a unique name', () => {
    const { databases } = readEnvironment('production');
    const [accounts, links, main] = databases as [Database, Database, Database];
    expect(areTheKnown([main, links, accounts])).toBe(true);
    for (const others of [
      [],
      [accounts, links],
      [accounts, links, { ...main, binding: 'MAIN' }],
      [accounts, links, { ...main, name: links.name }],
      [accounts, links, { ...main, name: '' }],
      [accounts, links, main, { binding: 'MORE', name: 'more' }],
      [accounts, links, main, main],
    ]) {
      expect(areTheKnown(others)).toBe(false);
    }
  });

  it('share no resource of the account', () => {
    const [staging, production] = ENVIRONMENTS.map(readEnvironment);
    for (const key of ['worker', 'bucket', 'baseUrl', 'storageUrl'] as const) {
      expect(staging?.[key]).not.toBe(production?.[key]);
    }
    const databases = [staging, production].flatMap((one) =>
      one!.databases.map(({ name }) => name),
    );
    expect(new Set(databases).size).toBe(6);
    expect(
      staging!.customDomains.filter((host) => production!.customDomains.includes(host)),
    ).toEqual([]);
  });

  it.each(ENVIRONMENTS)('%s routes both of its hosts', (name) => {
    const { baseUrl, storageUrl, customDomains } = readEnvironment(name);
    expect(customDomains).toEqual([baseUrl, storageUrl].map((url) => new URL(url!).hostname));
  });
});

describe('withEnvironmentBindings', () => {
  it('copies a new binding, and changes nothing the second time', () => {
    const added =
      '[[analytics_engine_datasets]]\nbinding = "EVENTS"\ndataset = "tools_calls"\n\n[env.staging]';
    const toml = withEnvironmentBindings(
      readFileSync('wrangler.toml', 'utf8').replace('[env.staging]', added),
    );
    expect(toml).toContain(
      '[[env.production.analytics_engine_datasets]]\nbinding = "EVENTS"\ndataset = "tools_calls"',
    );
    expect(toml).toContain('dataset = "tools_staging_calls"');
    expect(withEnvironmentBindings(toml)).toBe(toml);
  });

  it('refuses a binding in the generated part, which would be overwritten', () => {
    const toml = `${readFileSync('wrangler.toml', 'utf8')}\n[version_metadata]\nbinding = "V"\n`;
    expect(() => withEnvironmentBindings(toml)).toThrow(
      '[version_metadata] is in the generated part',
    );
  });
});

describe('deploymentFindings', () => {
  const mine = {
    ...readEnvironment('production'),
    settings: { BASE_URL: 'https://tools.my.host' },
    baseUrl: 'https://tools.my.host',
    storageUrl: 'https://files.my.host',
    customDomains: ['tools.my.host', 'files.my.host'],
  };

  it('reports nothing for two routed hosts', () => {
    expect(deploymentFindings(mine)).toEqual([]);
  });

  it('reports the example hosts and where to replace them', () => {
    const [base, storage] = deploymentFindings(readEnvironment('production'));
    expect(base).toBe(
      'BASE_URL is still the example https://tools.example.com. Replace tools.example.com with your host in [env.production] of wrangler.toml: in routes and in vars.',
    );
    expect(storage).toContain('STORAGE_URL is still the example');
  });

  it.each([
    [{ baseUrl: undefined }, 'BASE_URL is not set'],
    [{ storageUrl: undefined }, 'STORAGE_URL is not set'],
    [{ baseUrl: 'http://tools.my.host' }, 'BASE_URL must be an https URL'],
    [{ storageUrl: 'https://tools.my.host' }, 'must not share its origin'],
    [{ customDomains: ['tools.my.host'] }, 'No route matches files.my.host'],
    [{ settings: { OPENAI_API_KEY: 'sk-1' } }, 'OPENAI_API_KEY is a secret'],
    [{ settings: { ABUSE_WEBHOOK: 'https://chat.my.host/k' } }, 'ABUSE_WEBHOOK is a secret'],
    [{ settings: { MEDIA_INSTANCES: '6' } }, 'needs 6 instances of the media worker'],
    [{ settings: { MEDIA_REGIONS: 'weur, enam' } }, 'needs 10 instances of the media worker'],
    [{ settings: { MAX_STORAGE: 'lots' } }, 'MAX_STORAGE'],
    [{ baseUrl: 'https://tools.me.workers.dev' }, 'Set workers_dev = true and name = "tools"'],
  ])('reports for %j: %s', (change, finding) => {
    expect(deploymentFindings({ ...mine, ...change }).join('\n')).toContain(finding);
  });

  it('treats every setting with the name of a secret as one', () => {
    const named = SETTINGS.filter(({ name }) => /SECRET|TOKEN|KEY|WEBHOOK/.test(name));
    expect(named.filter(({ secret }) => !secret)).toEqual([]);
  });

  it('accepts a workers.dev address if the Worker has it', () => {
    const environment = { ...mine, baseUrl: 'https://tools.me.workers.dev', hasWorkersDev: true };
    expect(deploymentFindings(environment)).toEqual([]);
  });
});
