/**
 * Tests which files, processes and networks are accessible to the media worker's programs and file-reading processes.
 */
import type { ChildProcess } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { USERS } from '../../src/core/confinement.ts';
import { canMount, canUnshare, hasUsers, isRoot, nobody } from '../../test/support/this-machine.ts';
import { until } from '../../test/support/until.ts';
import { emptyFolder, folder, pdf, post, start } from './test-server.ts';

const children: ChildProcess[] = [];

afterAll(() => {
  for (const child of children) child.kill();
  emptyFolder();
});

interface Seen {
  confinement: { on: string[]; off: string[] };
  status: Map<string, string>;
  environment: string[];
  network: string;
  limits: string;
  reached: string;
  serverEnvironment: string;
  /** The network namespace, user and environment of each process that reads PDF files. */
  processes: { network: string; status: Map<string, string>; environment: string }[];
}

const statusOf = (text: string) =>
  new Map(text.split('\n').map((line) => line.split(':\t') as [string, string]));

let number = 0;

/** Starts a server and inspects its confinement from inside the qpdf process that the server starts. */
async function look(settings: Record<string, string>, user?: number): Promise<Seen> {
  number += 1;
  const report = join(folder, `report-${number}`);
  const programs = join(folder, `programs-${number}`);
  for (const path of [report, programs]) mkdirSync(path);
  chmodSync(report, 0o777);
  const qpdf = join(programs, 'qpdf');
  // The report is complete once the file `done` exists. The script then sleeps, so that its parent can be inspected.
  writeFileSync(
    qpdf,
    `#!/bin/bash
[ "$1" = --version ] && exit
cd ${report}
env > environment; cat /proc/self/status > status; cat /proc/self/limits > limits
readlink /proc/self/ns/net > network
. ${report}/server
(exec 3<>/dev/tcp/127.0.0.1/$PORT) 2>/dev/null && echo reached > reached || echo refused > reached
(tr '\\0' '\\n' < /proc/$SERVER/environ) > server-environment 2>/dev/null
touch done; sleep 60
`,
  );
  chmodSync(qpdf, 0o755);
  const [child, address] = await start(
    { PATH: `${programs}:${process.env.PATH}`, OPENAI_API_KEY: 'sk-not-for-programs', ...settings },
    user,
  );
  children.push(child);
  writeFileSync(join(report, 'server'), `PORT=${new URL(address).port}\nSERVER=${child.pid}\n`);
  const { confinement } = (await (await fetch(`${address}/health`)).json()) as Seen;
  const leaves = new AbortController();
  const call = post(address, 'merge_pdf', {}, [pdf, pdf], {}, leaves.signal).catch(() => undefined);
  expect(await until(() => readdirSync(report).includes('done'))).toBe(true);
  const read = (name: string) => readFileSync(join(report, name), 'utf8');
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === child.pid && commandOf(name).includes('document-process'))
    .map((name) => ({
      network: readlinkSync(`/proc/${name}/ns/net`),
      status: statusOf(readFileSync(`/proc/${name}/status`, 'utf8')),
      environment: readFileSync(`/proc/${name}/environ`, 'latin1'),
    }));
  leaves.abort();
  await call;
  return {
    confinement,
    status: statusOf(read('status')),
    environment: read('environment').trim().split('\n'),
    network: read('network').trim(),
    limits: read('limits'),
    reached: read('reached').trim(),
    serverEnvironment: read('server-environment'),
    processes,
  };
}

function commandOf(id: string): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}

function parentOf(id: string): number {
  try {
    return Number(statusOf(readFileSync(`/proc/${id}/status`, 'utf8')).get('PPid'));
  } catch {
    return 0;
  }
}

const ownNetwork = () => readlinkSync('/proc/self/ns/net');
const names = (environment: string[]) => environment.map((line) => line.split('=')[0]!);
/** The environment variables that programs are allowed to have. The shell sets the last four. */
const ALLOWED = [
  'PATH',
  'HOME',
  'LC_ALL',
  'TMPDIR',
  'NODE_COMPILE_CACHE',
  'PWD',
  'OLDPWD',
  'SHLVL',
  '_',
];

function expectConfined(seen: Seen): void {
  const { status, environment, limits } = seen;
  expect(status.get('NoNewPrivs')).toBe('1');
  expect(BigInt(`0x${status.get('CapEff')}`)).toBe(0n);
  expect(names(environment).filter((name) => !ALLOWED.includes(name))).toEqual([]);
  expect(limits).toMatch(/Max address space +\d/);
  expect(limits).toMatch(/Max cpu time +\d/);
  expect(limits).toMatch(/Max core file size +0/);
  expect(seen.processes.length).toBeGreaterThan(0);
  for (const process of seen.processes) {
    expect(process.status.get('NoNewPrivs')).toBe('1');
    expect(process.environment).not.toMatch(/secret|sk-not-for/i);
    expect(process.network).toBe(seen.network);
  }
  expect(seen.confinement.on.includes('no network')).toBe(canUnshare);
  if (canUnshare) {
    expect(seen.network).not.toBe(ownNetwork());
    expect(seen.reached).toBe('refused');
    expect(limits).toMatch(/Max processes +1024/);
    // The server runs as the same user in another user namespace, so its environment is unreadable.
    expect(seen.serverEnvironment).toBe('');
  }
}

describe('a program of the media worker', () => {
  it.runIf(hasUsers)(
    'runs as another user without network or our environment when the worker is root',
    async () => {
      const seen = await look({ WORK_DIR: join(folder, 'work-root') });
      expectConfined(seen);
      expect(seen.status.get('Uid')).toMatch(new RegExp(`^${USERS.media}\\s`));
      expect(seen.status.get('Gid')).toMatch(new RegExp(`^${USERS.media}\\s`));
      expect(seen.status.get('Groups')?.trim()).toBe('');
      for (const { status } of seen.processes) expect(status.get('Uid')).toMatch(/^61901\s/);
      // Even without namespaces, other processes of the new user cannot inspect a process that has dropped root
      // privileges.
      expect(seen.serverEnvironment).toBe('');
      expect(seen.confinement.off).toEqual(
        canUnshare ? [] : [expect.stringMatching(/^no network/)],
      );
    },
  );

  it.skipIf(isRoot && !hasUsers)(
    'has no network and none of our environment when the worker is another user',
    async () => {
      const seen = await look({}, nobody);
      expectConfined(seen);
      expect(seen.status.get('Uid')).not.toMatch(/^0\s/);
    },
  );

  it.runIf(hasUsers && canMount && canUnshare).each([
    ['root', [], ['no network']],
    ['another user', ['setpriv', '--reuid', `${nobody}`], ['no network', 'limit on processes']],
  ] as const)(
    'runs without namespaces that can be created but not entered, as under some seccomp profiles, as %s',
    async (_, become, off) => {
      const script = 'mount --bind /bin/false "$(command -v nsenter)" && exec "$@"';
      const mount = ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', script, 'sh'];
      const [child, address] = await start({}, undefined, '', [...mount, ...become]);
      children.push(child);
      const { confinement } = (await (await fetch(`${address}/health`)).json()) as Seen;
      expect(confinement.off.map((measure) => measure.split(' (')[0])).toEqual(off);
      expect((await post(address, 'merge_pdf', {}, [pdf, pdf])).status).toBe(200);
    },
  );

  it.runIf(hasUsers)('reports that the unprivileged user cannot open the files', async () => {
    const closed = join(folder, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const { confinement, status } = await look({ WORK_DIR: join(closed, 'work') });
    expect(confinement.off[0]).toMatch(/^unprivileged user \(user 61901 cannot open .+closed/);
    expect(status.get('NoNewPrivs')).toBe('1');
  });
});

describe('the media worker', () => {
  it.runIf(canUnshare)('exits when its namespaces are lost, so that it is restarted', async () => {
    const [child] = await start({});
    const [holder] = readdirSync('/proc').filter(
      (name) => /^\d+$/.test(name) && parentOf(name) === child.pid && commandOf(name) === 'cat\0',
    );
    process.kill(Number(holder), 'SIGKILL');
    expect(await until(() => child.exitCode === 0)).toBe(true);
  });

  it('reads its secret from stdin if its environment has none', async () => {
    const [child, address] = await start({ MEDIA_SECRET: '' }, undefined, 'from-input\n');
    children.push(child);
    const answer = (secret: string) =>
      post(address, 'shred_pdf', {}, [], { 'X-Media-Secret': secret }).then(({ status }) => status);
    expect(await answer('secret')).toBe(403);
    expect(await answer('from-input')).toBe(404);
  });
});
