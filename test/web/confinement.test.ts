/**
 * Tests the network access of pages, the confinement of a service that root started, and the recovery after a page has
 * crashed its browser.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { USERS } from '../../src/core/confinement.ts';
import { descendantsOf } from '../support/descendants.ts';
import { canUnshare, hasUsers, isRoot } from '../support/this-machine.ts';
import { html } from '../support/upstream.ts';
import { openWebService, type WebService } from '../support/web-service.ts';

const PAGE = '<!doctype html><meta charset=utf-8><body style="background:#0f0">';

/**
 * Frames from different sites run in separate processes. Each process stays below its own memory limit, but together
 * they exceed the browser's limit.
 */
const FRAMES = ['b.test', 'c.test', 'd.test', 'e.test'];

interface Process {
  id: number;
  command: string;
  status: Map<string, string>;
  network: string;
  /** The environment variables. Empty if only root can read them. */
  environment: string[];
  limits: string;
  niceness: number;
}

const read = (id: number, name: string) => {
  try {
    return readFileSync(`/proc/${id}/${name}`, 'latin1');
  } catch {
    return '';
  }
};

/** The `nice` field of proc_pid_stat(5). */
const nicenessOf = (id: number) => Number(read(id, 'stat').split(') ').at(-1)!.split(' ')[16]);

function processOf(id: number): Process {
  const lines = read(id, 'status').split('\n');
  let network = '';
  try {
    network = readlinkSync(`/proc/${id}/ns/net`);
  } catch {
    // Only root can inspect Chromium's sandboxed processes.
  }
  return {
    id,
    network,
    limits: read(id, 'limits'),
    niceness: nicenessOf(id),
    command: read(id, 'cmdline').replaceAll('\0', ' '),
    status: new Map(lines.map((line) => line.split(':\t') as [string, string])),
    environment: read(id, 'environ').split('\0').filter(Boolean),
  };
}

/** Returns all processes of the service. */
const processes = () => [...descendantsOf(service.child.pid!).keys()].map(processOf);
const isChromium = ({ command }: Process) => /chrom/.test(command);
const isBrowser = ({ command }: Process) =>
  command.includes('--remote-debugging-port') && !command.includes('--type=');

/** The processes that were running at each request for `/looks`. */
const seen: Process[][] = [];
let service: WebService;

beforeAll(async () => {
  service = await openWebService(
    ['a.test', ...FRAMES],
    {
      '/looks': (_, response) => {
        seen.push(processes());
        html(response, PAGE);
      },
      '/': PAGE,
      '/heap': `${PAGE}<script>const a=[];for(;;)a.push(new Array(1e6).fill(Math.random()))</script>`,
      '/frames': `${PAGE}<img src=/silent>${FRAMES.map((host) => `<iframe src=http://${host}/holds></iframe>`).join('')}`,
      '/holds':
        '<script>const a=[];for(let i=0;i<60;i++)a.push(new Uint8Array(1e7).fill(7))</script>',
      '/silent': () => {},
    },
    {
      METRICS_TOKEN: 'a-token-for-metrics',
      OPENAI_API_KEY: 'sk-not-for-programs',
      TRUSTED_PROXY: 'on',
    },
  );
});
afterAll(() => service?.close());

const shoot = (path: string) =>
  service.run('screenshot_url', { url: `http://a.test${path}`, width: 200, height: 200 });

describe('the browser', () => {
  it('runs unprivileged in its sandbox, with its limits and without our environment', async () => {
    expect((await shoot('/looks?first')).status).toBe(200);
    const chromium = seen.at(-1)!.filter(isChromium);
    expect(chromium.filter(isBrowser)).toHaveLength(1);
    const renderers = chromium.filter(({ command }) => command.includes('--type=renderer'));
    expect(renderers.length).toBeGreaterThan(0);
    for (const { status, environment, limits, niceness } of chromium) {
      expect(status.get('Uid')).not.toMatch(/^0\s/);
      if (isRoot) expect(status.get('Uid')).toMatch(new RegExp(`^${USERS.browser}\\s`));
      if (canUnshare) expect(status.get('NoNewPrivs')).toBe('1');
      expect(environment.join()).not.toMatch(/sk-not-for|a-token-for|MEDIA/);
      if (limits) expect(limits).toMatch(/Max data size +2147483648/);
      // Browser threads have a lower priority than those that serve other callers.
      expect(niceness).toBeGreaterThanOrEqual(10);
    }
    const [browser] = chromium.filter(isBrowser);
    const given = browser!.environment.map((line) => line.split('=')[0]!);
    // Chromium's start script adds these variables.
    const added =
      /^(CHROME|GNOME|LD_LIBRARY|NO_AT_BRIDGE|DBUS|XDG|PWD|OLDPWD|SHLVL|_$|SANDBOX|CHROMIUM|GOOGLE)/;
    expect(given.filter((name) => !added.test(name)).sort()).toEqual([
      'HOME',
      'LC_ALL',
      'PATH',
      'TMPDIR',
    ]);
    if (!canUnshare) return;
    for (const { status, network } of renderers) {
      expect(status.get('Seccomp')).toBe('2');
      if (isRoot) expect(network).not.toBe(readlinkSync('/proc/self/ns/net'));
    }
  });

  it('is replaced after at most ten captures', async () => {
    const before = seen.length;
    for (let count = 0; count < 12; count += 1) {
      expect((await shoot(`/looks?${count}`)).status).toBe(200);
    }
    // Two browsers may run at the same time, because one that has reached its limit may still be closing. The newer one
    // handles the capture.
    const used = seen
      .slice(before)
      .map((all) => Math.max(...all.filter(isBrowser).map(({ id }) => id)));
    const captures = Map.groupBy(used, (id) => id)
      .values()
      .map(({ length }) => length)
      .toArray();
    expect(Math.max(...captures)).toBeLessThanOrEqual(10);
    expect(captures.length).toBeLessThanOrEqual(3);
  });

  it.each(['/heap', '/frames'])(
    'returns 502 for a page that fills its %s, and is replaced for the next capture',
    async (path) => {
      await shoot(`/looks?before${path}`);
      const before = seen
        .at(-1)!
        .filter(isBrowser)
        .map(({ id }) => id);
      const { status, body } = await shoot(path);
      expect([status, body.error]).toEqual([
        502,
        'The page crashed the browser or exceeded the memory limit.',
      ]);
      expect((await shoot(`/looks?after${path}`)).status).toBe(200);
      const after = seen
        .at(-1)!
        .filter(isBrowser)
        .map(({ id }) => id);
      expect(after.filter((id) => !before.includes(id)).length).toBeGreaterThan(0);
    },
  );
});

describe('the processes of a service', () => {
  it.runIf(hasUsers)('run as their own users', () => {
    const users = new Map(
      processes().map(({ command, status }) => [
        command,
        Number(status.get('Uid')?.split('\t')[0]),
      ]),
    );
    const userOf = (text: string) => [...users].find(([command]) => command.includes(text))?.[1];
    expect(userOf('workerd serve')).toBe(USERS.worker);
    expect(userOf('containers/media/server.ts')).toBe(USERS.media);
    expect([...users].filter(([, user]) => user === 0)).toEqual([]);
  });

  it('pass none of our environment to workerd', () => {
    const [workerd] = processes().filter(({ command }) => command.includes('workerd serve'));
    const names = workerd!.environment.map((line) => line.split('=')[0]).sort();
    expect(names).toEqual(['FORCE_COLOR', 'HOME', 'LC_ALL', 'PATH', 'TMPDIR', 'TZ']);
  });

  it.runIf(isRoot)('have no secret in an environment that another process can read', () => {
    const [media] = processes().filter(({ command }) =>
      command.includes('containers/media/server.ts'),
    );
    expect(media!.environment.join('\n')).not.toMatch(/MEDIA_SECRET|sk-not-for|a-token-for/);
  });
});

describe('/health?deep=1', () => {
  const health = async (headers: Record<string, string> = {}) =>
    (await fetch(`${service.baseUrl}/health?deep=1`, { headers })).json() as Promise<{
      status: string;
      checkedAt: string | null;
      parts: {
        name: string;
        state: string;
        ms: number;
        detail?: Record<string, { off: string[] }>;
      }[];
    }>;
  const stranger = { 'X-Forwarded-For': '203.0.113.9' };

  it('checks every part for loopback and for the token, and returns the last result to others', async () => {
    const before = await health(stranger);
    expect(await health(stranger)).toEqual(before);
    const first = await health();
    expect(Date.parse(first.checkedAt!)).toBeGreaterThan(Date.parse(before.checkedAt ?? '1970'));
    expect(first.parts.map(({ name }) => name)).toEqual([
      ...['accounts', 'links', 'database', 'files', 'documents', 'limiter', 'jobs', 'media'],
      ...['disk', 'confinement', 'browser', 'models'],
    ]);
    const stateOf = Object.fromEntries(first.parts.map(({ name, state }) => [name, state]));
    expect(stateOf).toMatchObject({
      ...{
        accounts: 'ok',
        links: 'ok',
        database: 'ok',
        files: 'ok',
        limiter: 'unconfigured',
        jobs: 'ok',
        media: 'ok',
      },
      browser: 'ok',
      models: 'unconfigured',
    });
    for (const { ms } of first.parts) expect(ms).toBeGreaterThanOrEqual(0);
    const confinement = first.parts.find(({ name }) => name === 'confinement')!;
    expect(Object.keys(confinement.detail!)).toEqual(['programs', 'worker', 'browser']);
    if (hasUsers && canUnshare) expect(confinement.state).toBe('ok');
    // Details such as the free space are shown only to the operator.
    const known = { ...first, parts: first.parts.map(({ detail: _, ...part }) => part) };
    expect(await health(stranger)).toEqual(known);
    expect(await health({ ...stranger, Authorization: 'Bearer a-token-for-other' })).toEqual(known);
    const again = await health({ ...stranger, Authorization: 'Bearer a-token-for-metrics' });
    expect(Date.parse(again.checkedAt!)).toBeGreaterThan(Date.parse(first.checkedAt!));
  });

  it('reports a part that does not respond, without waiting for it', async () => {
    const media = processes().find(({ command }) =>
      command.includes('containers/media/server.ts'),
    )!;
    process.kill(media.id, 'SIGSTOP');
    try {
      const { status, parts } = await health();
      expect(status).toBe('down');
      const down = parts.filter(({ state }) => state === 'down').map(({ name }) => name);
      expect(down).toEqual(['media', 'disk', 'confinement']);
    } finally {
      process.kill(media.id, 'SIGCONT');
    }
  });
});
