/** Tests the deployment with a fake wrangler that records its calls. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deployedConfig } from '../admin-stores.ts';
import { dryRunner, realRunner } from './command-runner.ts';
import { deploy } from './deploy.ts';
import { type Environment, readEnvironment } from './environment.ts';

let folder: string;
let printed: string[];
let service: Awaited<ReturnType<typeof startService>>;

/**
 * Starts a service whose /health fails `failures` times. After `recoversAfter` responses, it reports that storage
 * works.
 */
async function startService() {
  const state = {
    failures: 0,
    storage: 'ok',
    recoversAfter: Number.POSITIVE_INFINITY,
    requests: [] as string[],
  };
  const server = createServer((request: IncomingMessage, response) => {
    state.requests.push(`${request.url} ${request.headers.authorization ?? 'without a token'}`);
    if (state.failures-- > 0) response.writeHead(503).end('BASE_URL is not set');
    else {
      if (state.recoversAfter-- <= 0) state.storage = 'ok';
      const parts = request.headers.authorization
        ? [{ name: 'storage', state: state.storage }]
        : [];
      response.end(JSON.stringify({ status: state.storage, version: '2.0.0', parts }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(state, { url, close: () => server.close() });
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tools-deploy-test-'));
  for (const program of ['wrangler', 'docker']) {
    cpSync('scripts/deployment/wrangler-stand-in.sh', join(folder, 'bin', program));
    chmodSync(join(folder, 'bin', program), 0o755);
  }
  vi.stubEnv('PATH', `${join(folder, 'bin')}:${process.env.PATH}`);
  vi.stubEnv('ACCOUNT', folder);
  vi.stubEnv('WHOAMI', '{"accounts":[{"id":"a1","name":"Mine"}]}');
  vi.stubEnv('METRICS_TOKEN', undefined);
  vi.stubEnv('CLOUDFLARE_ACCOUNT_ID', undefined);
  vi.stubEnv('WRANGLER_DOCKER_BIN', undefined);
  printed = [];
  service = await startService();
});

afterEach(() => {
  vi.unstubAllEnvs();
  service.close();
  rmSync(folder, { recursive: true });
});

/**
 * Runs the deployment with public host names, as the checks require, but sends its health requests to the local
 * service.
 */
function run(change: Partial<Environment> = {}, runner = realRunner, image?: string) {
  const production = readEnvironment('production');
  const hosts = { baseUrl: 'https://tools.my.host', storageUrl: 'https://files.my.host' };
  const fetchLocally = globalThis.fetch;
  vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
    fetchLocally(url.replace('https://tools.my.host', service.url), init),
  );
  const environment = {
    ...production,
    ...hosts,
    settings: { BASE_URL: hosts.baseUrl },
    customDomains: ['tools.my.host', 'files.my.host'],
    ...change,
  };
  return deploy(environment, {
    runner,
    settingsFile: join(folder, '.env.production'),
    image,
    print: (line) => printed.push(line),
    pause: async () => undefined,
  }).finally(() => vi.unstubAllGlobals());
}

const calls = () =>
  readFileSync(join(folder, 'calls'), 'utf8')
    .trim()
    .split('\n')
    .map((call) => call.replace(/ (--tag|--message|--secrets-file) .*/, ''));

const DATABASES = [
  ['ACCOUNTS', 'tools'],
  ['LINKS', 'tools-links'],
  ['DB', 'tools-main'],
] as const;

describe('npm run deploy', () => {
  it('creates all resources, migrates, deploys and checks the deployed service', async () => {
    expect(await run()).toBe(true);
    expect(calls()).toEqual([
      'wrangler whoami --json',
      'wrangler containers list --json',
      'docker info',
      'wrangler r2 bucket create tools-files',
      'wrangler r2 bucket lifecycle set tools-files --file scripts/deployment/lifecycle.json --force',
      ...DATABASES.flatMap(([binding, name]) => [
        `wrangler d1 create ${name}`,
        `wrangler d1 time-travel info ${binding} --env production --json`,
        `wrangler d1 migrations apply ${binding} --remote --env production`,
      ]),
      expect.stringContaining(
        'wrangler d1 execute ACCOUNTS --remote --env production --yes --json',
      ),
      'wrangler secret list --env production',
      'wrangler deploy --env production',
    ]);
    expect(printed).toContain('Bucket tools-files created.');
    for (const [binding] of DATABASES) {
      expect(printed).toContain(`Bookmark of ${binding} before migrations: 00000001-0000`);
      expect(printed).toContain(
        `Migrations applied to ${binding}: 0001_first.sql, 0002_second.sql`,
      );
    }
    expect(printed).toContain('Secrets created: MEDIA_SECRET, METRICS_TOKEN');
    expect(printed.at(-1)).toBe('  storage: ok');
  });

  it('generates the secrets once, and keeps the token that the operator needs', async () => {
    await run();
    const { MEDIA_SECRET, METRICS_TOKEN } = JSON.parse(
      readFileSync(join(folder, 'secrets'), 'utf8'),
    );
    expect(MEDIA_SECRET).toMatch(/^[\w-]{43}$/);
    expect(readFileSync(join(folder, '.env.production'), 'utf8')).toBe(
      `METRICS_TOKEN=${METRICS_TOKEN}\n`,
    );
    expect(statSync(join(folder, '.env.production')).mode & 0o777).toBe(0o600);
    expect(service.requests).toEqual([`/health?deep=1 Bearer ${METRICS_TOKEN}`]);
    expect(printed.join('\n')).not.toContain(METRICS_TOKEN);
  });

  it('changes only the version when it runs again', async () => {
    await run();
    const first = calls().length;
    expect(await run()).toBe(true);
    const second = readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n').slice(first);
    expect(second.at(-1)).not.toContain('--secrets-file');
    expect(second.at(-1)).not.toContain('--var');
    expect(printed).toContain('Bucket tools-files exists.');
    expect(printed).toContain('Database tools exists.');
    expect(printed).toContain('Migrations applied to ACCOUNTS: none');
    expect(
      readFileSync(join(folder, '.env.production'), 'utf8').match(/METRICS_TOKEN/g),
    ).toHaveLength(1);
  });

  it('copies moved tables before and after the upload, then drops them, once', async () => {
    const old = ['short_links', 'uploads'].map((name) => ({ name }));
    writeFileSync(join(folder, 'old-tables'), JSON.stringify([{ results: old }]));
    vi.stubEnv('FAIL', 'execute LINKS');
    await expect(run()).rejects.toThrow('failed:\nThe API says no.');
    expect(calls().some((call) => call.startsWith('wrangler deploy'))).toBe(false);
    vi.stubEnv('FAIL', 'DROP TABLE');
    await expect(run()).rejects.toThrow('failed:\nThe API says no.');
    vi.stubEnv('FAIL', undefined);
    const before = calls().length;
    expect(await run()).toBe(true);
    const steps = calls()
      .slice(before)
      .flatMap(
        (call) => /(d1 export|execute \w+ .*--file|deploy --env|DROP.*)/.exec(call)?.[1] ?? [],
      )
      .map((step) => step.replace(/ --remote.*/, ''));
    const copied = ['d1 export', 'execute LINKS', 'd1 export', 'execute DB'];
    const dropped = 'DROP TABLE short_links; DROP TABLE uploads;';
    expect(steps).toEqual([...copied, 'deploy --env', ...copied, dropped]);
    const imported = readFileSync(join(folder, 'imported'), 'utf8').trimEnd().split('\n');
    const insert = (code: string) =>
      `INSERT OR IGNORE INTO "short_links" ("code") VALUES('${code}');`;
    // Rows are copied twice, before and after the last upload. The second copy skips the rows of the first.
    expect(imported.slice(-6)).toEqual(['abc', 'new6', 'abc', 'new7', 'new8', 'new9'].map(insert));
    expect(printed).toContain('Moved to their own databases: short_links, uploads');
    const end = calls().length;
    await run();
    expect(calls().slice(end).join()).not.toContain('export');
  });

  it('does not change tracked files', async () => {
    const before = readFileSync('wrangler.toml', 'utf8');
    await run();
    expect(readFileSync('wrangler.toml', 'utf8')).toBe(before);
  });

  it('waits for the certificate of a new domain', async () => {
    service.failures = 3;
    expect(await run()).toBe(true);
    expect(service.requests).toHaveLength(4);
  });

  it('fails with the response of a service that does not start', async () => {
    service.failures = 1000;
    await expect(run()).rejects.toThrow('503 BASE_URL is not set');
  });

  it('fails if a part of the deployed service does not work', async () => {
    service.storage = 'down';
    expect(await run()).toBe(false);
    expect(printed.at(-1)).toBe('  storage: down');
  });

  it('reports a degraded part and succeeds', async () => {
    service.storage = 'degraded';
    expect(await run()).toBe(true);
    expect(service.requests).toHaveLength(1);
    expect(printed.at(-1)).toBe('  storage: degraded');
  });

  it('waits for the first instance of a new image', async () => {
    service.storage = 'down';
    service.recoversAfter = 3;
    expect(await run()).toBe(true);
    expect(service.requests).toHaveLength(4);
  });

  it('keeps the token if wrangler fails after its upload', async () => {
    vi.stubEnv('FAIL', 'deploy --env');
    await expect(run()).rejects.toThrow('failed');
    const stored = readFileSync(join(folder, '.env.production'), 'utf8');
    vi.stubEnv('FAIL', undefined);
    await run();
    const { METRICS_TOKEN } = JSON.parse(readFileSync(join(folder, 'secrets'), 'utf8'));
    expect(stored).toBe(`METRICS_TOKEN=${METRICS_TOKEN}\n`);
    expect(readFileSync(join(folder, '.env.production'), 'utf8')).toBe(stored);
  });

  it('requests the shallow health without the token, and says how to check every part', async () => {
    await run();
    vi.stubEnv('METRICS_TOKEN', undefined);
    expect(await run()).toBe(true);
    expect(service.requests.at(-1)).toBe('/health without a token');
    expect(printed.at(-1)).toMatch(
      /^To check every part, set METRICS_TOKEN in .*\.env\.production/,
    );
  });

  it.each([
    ['whoami', 'Not signed in. Run npx wrangler login'],
    ['containers list', 'need the Workers Paid plan:\nThe API says no.'],
    ['docker info', 'docker is not running, but building the media worker'],
    ['bucket create', 'wrangler r2 bucket create tools-files failed:\nThe API says no.'],
    ['lifecycle', 'failed:\nThe API says no.'],
    ['d1 create', 'failed:\nThe API says no.'],
    ['migrations', 'failed:\nThe API says no.'],
    ['secret list', 'wrangler secret list failed'],
    ['deploy --env', 'failed:\nThe API says no.'],
  ])('stops if %s fails, and continues from there the next time', async (words, message) => {
    vi.stubEnv('FAIL', words);
    await expect(run()).rejects.toThrow(message);
    expect(calls().at(-1)).toContain(words);
    vi.stubEnv('FAIL', undefined);
    expect(await run()).toBe(true);
  });

  it('asks for the account if several exist', async () => {
    vi.stubEnv('WHOAMI', '{"accounts":[{"id":"a1","name":"Mine"},{"id":"b2","name":"Work"}]}');
    await expect(run()).rejects.toThrow(
      'Set CLOUDFLARE_ACCOUNT_ID to one of them: a1 (Mine), b2 (Work)',
    );
    vi.stubEnv('CLOUDFLARE_ACCOUNT_ID', 'b2');
    expect(await run()).toBe(true);
  });

  it('needs no Docker for an image from a registry', async () => {
    expect(await run({ buildsImage: false })).toBe(true);
    expect(calls()).not.toContain('docker info');
  });

  it('deploys the image of a release, and leaves no configuration behind', async () => {
    const image = 'registry.example/me/tools-media:v2.1.0';
    expect(await run({}, realRunner, image)).toBe(true);
    expect(calls().at(-1)).toBe('wrangler deploy --env production');
    expect(readFileSync(join(folder, 'dockerfile'), 'utf8')).toBe(`FROM ${image}\n`);
    expect(existsSync('wrangler.released.toml')).toBe(false);
    await expect(run({}, realRunner, 'tools-media')).rejects.toThrow('--image must be');
  });

  it('makes no call before the hosts are set', async () => {
    await expect(run(readEnvironment('production'))).rejects.toThrow(
      'BASE_URL is still the example',
    );
    expect(() => calls()).toThrow('ENOENT');
  });

  it('prints every command with --dry-run and runs none', async () => {
    expect(
      await run(
        {},
        dryRunner((line) => printed.push(line)),
      ),
    ).toBe(true);
    const commands = printed.filter((line) => /^(wrangler|docker|git) /.test(line));
    expect(commands).toHaveLength(18);
    const others = printed.filter((line) => !commands.includes(line));
    expect(others.filter((line) => !line.startsWith('#'))).toEqual([]);
    expect(commands).toContain('wrangler d1 migrations apply LINKS --remote --env production');
    expect(() => calls()).toThrow('ENOENT');
    expect(service.requests).toEqual([]);
  });

  it.each([
    [[], 'production'],
    [['--env', 'staging'], 'staging'],
  ])('lets npm run key -- --remote %j use the database of %s', (words, name) => {
    execFileSync(process.execPath, ['scripts/key.ts', '--list', '--remote', ...words], {
      stdio: 'pipe',
    });
    expect(calls()[0]).toMatch(
      new RegExp(`^wrangler d1 execute ACCOUNTS --remote --env ${name} --yes --json`),
    );
  });

  it('lets npm run admin -- --remote find the database of the environment by its name', async () => {
    expect(await deployedConfig('staging')).toMatchObject({
      d1_databases: DATABASES.map(([binding]) => ({
        binding,
        database_id: '00000000-0000-4000-8000-000000000001',
        remote: true,
      })),
      r2_buckets: [{ bucket_name: 'tools-staging-files', remote: true }],
    });
    expect(calls()).toEqual(
      DATABASES.map(([binding]) => `wrangler d1 info ${binding} --env staging --json`),
    );
  });

  it('supports --dry-run in a fresh clone', () => {
    const args = ['scripts/deploy.ts', '--dry-run', '--env', 'staging'];
    const output = execFileSync(process.execPath, args, { encoding: 'utf8' });
    expect(output).toContain('# BASE_URL is still the example https://tools-staging.example.com.');
    expect(output).toContain('wrangler r2 bucket create tools-staging-files');
    expect(output).toContain('wrangler deploy --env staging');
  });
});
