import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { expect, it, onTestFinished, vi } from 'vitest';
import { canMount } from '../test/support/this-machine.ts';
import { hasTable } from './local-database.ts';
import { backUp, restore } from './state-archive.ts';
import { lockBackups, ownState } from './state-owner.ts';

/** The paths of the databases in the order in which they were copied. */
const COPIED = vi.hoisted((): string[] => []);
vi.mock(import('node:sqlite'), async (importOriginal) => {
  const sqlite = await importOriginal();
  const backup: typeof sqlite.backup = (database, ...rest) => {
    COPIED.push(database.location()!);
    return sqlite.backup(database, ...rest);
  };
  return { ...sqlite, backup };
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tools-archive-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Opens a database, a bucket and a Durable Object with a counter. Their state is stored in `stateDir`. */
function openState(stateDir: string) {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      telemetry: { enabled: false },
      resourcePersistencePath: join(stateDir, 'v3'),
      modules: true,
      script: `export class Counter {
          constructor({ storage }) { this.storage = storage; }
          async fetch() {
            const count = (this.storage.kv.get('count') ?? 0) + 1;
            this.storage.kv.put('count', count);
            await this.storage.sync();
            return new Response(String(count));
          }
        }
        export default { fetch: (request, { COUNTER }) => COUNTER.getByName('one').fetch(request) };`,
      durableObjects: { COUNTER: { className: 'Counter', useSQLite: true } },
      d1Databases: ['DB', 'OTHER'],
      r2Buckets: ['FILES'],
    }),
  );
  onTestFinished(() => miniflare.dispose().catch(() => {}));
  return {
    miniflare,
    count: async () => (await miniflare.dispatchFetch('http://localhost/')).text(),
    database: (name = 'DB') => miniflare.getD1Database(name),
    bucket: () => miniflare.getR2Bucket('FILES'),
  };
}

it('a backup restores what a running service had confirmed: rows, files, Durable Objects', async () => {
  const [from, to] = [newFolder(), newFolder()];
  const running = openState(from);
  const [database, bucket] = [await running.database(), await running.bucket()];
  await database.exec('CREATE TABLE notes (text TEXT)');
  await database.prepare('INSERT INTO notes VALUES (?)').bind('confirmed').run();
  await bucket.put('one', 'first file');
  await bucket.put('two', 'x'.repeat(100_000));
  await running.count();
  const file = join(newFolder(), 'backup.tar');
  const written = await backUp(from, file);
  expect(globSync('copy-*', { cwd: from })).toEqual([]);
  await bucket.put('one', 'changed after the backup');

  expect(await restore(to, file)).toEqual(written);
  const restored = openState(to);
  const row = await (await restored.database()).prepare('SELECT text FROM notes').first();
  expect(row).toEqual({ text: 'confirmed' });
  const files = await restored.bucket();
  expect(await (await files.get('one'))?.text()).toBe('first file');
  expect((await (await files.get('two'))?.text())?.length).toBe(100_000);
  expect(await restored.count()).toBe('2');
});

it.each(['DB', 'OTHER'])(
  'a backup copies the accounts, which are in %s, before other databases',
  async (name) => {
    const from = newFolder();
    const running = openState(from);
    for (const each of ['DB', 'OTHER'])
      await (await running.database(each)).exec('CREATE TABLE rows (n INTEGER)');
    await (await running.database(name)).exec('CREATE TABLE accounts (id TEXT)');
    COPIED.length = 0;
    await backUp(from, join(newFolder(), 'backup.tar'));
    const kinds = COPIED.filter(
      (path) => path.includes('/d1/') && !path.endsWith('/metadata.sqlite'),
    );
    const hasAccounts = kinds.map((path) => {
      const database = new DatabaseSync(path, { readOnly: true });
      const found = hasTable(database, 'accounts');
      database.close();
      return found;
    });
    expect(hasAccounts).toEqual([true, false]);
  },
);

it('a restore refuses a damaged backup and does not change the state', async () => {
  const [from, to] = [newFolder(), newFolder()];
  const running = openState(from);
  await (await running.bucket()).put('one', 'first file');
  const file = join(newFolder(), 'backup.tar');
  await backUp(from, file);
  await running.miniflare.dispose();
  const unpacked = newFolder();
  execFileSync('tar', ['--extract', '--file', file, '--directory', unpacked]);
  mkdirSync(join(to, 'v3'));
  writeFileSync(join(to, 'v3', 'untouched'), '');
  const [blob] = globSync('v3/r2/*/blobs/*', { cwd: unpacked });
  const pack = () =>
    execFileSync('tar', ['--create', '--file', file, '--directory', unpacked, '.']);

  writeFileSync(join(unpacked, blob!), 'other bytes');
  pack();
  await expect(restore(to, file)).rejects.toThrow(/damaged: .*blobs.* was changed/);
  rmSync(join(unpacked, blob!));
  pack();
  await expect(restore(to, file)).rejects.toThrow('do not match its manifest.json');
  const manifest = join(unpacked, 'manifest.json');
  const stated = JSON.parse(readFileSync(manifest, 'utf8'));
  writeFileSync(manifest, JSON.stringify({ ...stated, format: 2 }));
  pack();
  await expect(restore(to, file)).rejects.toThrow('format 2, but this version reads 1');
  rmSync(manifest);
  pack();
  await expect(restore(to, file)).rejects.toThrow('not a backup of this service');
  truncateSync(file, statSync(file).size / 2);
  await expect(restore(to, file)).rejects.toThrow('tar failed');
  writeFileSync(file, 'no archive');
  await expect(restore(to, file)).rejects.toThrow('tar failed');
  expect(globSync('**/*', { cwd: to }).sort()).toEqual(['backup.lock', 'v3', 'v3/untouched']);
});

it.runIf(canMount)(
  'a full disk is reported, and no partial backup or restore remains',
  async () => {
    const [from, disk] = [newFolder(), newFolder()];
    const running = openState(from);
    await (await running.bucket()).put('one', randomBytes(400_000));
    await backUp(from, join(from, 'backup.tar'));
    const script = `mount -t tmpfs -o size=300k tmpfs "$1" && mkdir "$1/state"
      STATE_DIR="$2" "$3" scripts/backup.ts "$1/backup.tar"; echo $?; ls "$1"
      STATE_DIR="$1/state" "$3" scripts/restore.ts "$2/backup.tar"; echo $?; ls "$1/state"`;
    const words = ['--mount', '--propagation', 'private', 'sh', '-c', script, 'sh'];
    const full = spawnSync('unshare', [...words, disk, from, process.execPath], {
      encoding: 'utf8',
    });
    expect(full.stdout.split('\n')).toEqual(['1', 'state', '1', 'backup.lock', 'owner.lock', '']);
    expect(full.stderr.match(/tar failed: .*(No space left|Wrote only)/g)).toHaveLength(2);
  },
);

it('a restore moves existing state aside, and a backup fails without state', async () => {
  const [from, to] = [newFolder(), newFolder()];
  await expect(backUp(from, join(to, 'backup.tar'))).rejects.toThrow('There is no state in');
  const running = openState(from);
  await running.count();
  await running.miniflare.dispose();
  await backUp(from, join(to, 'backup.tar'));
  const { moved } = await restore(from, join(to, 'backup.tar'));
  expect(globSync('**/*.sqlite', { cwd: moved! }).length).toBeGreaterThan(0);
  expect(await openState(from).count()).toBe('2');
});

it('a backup removes the remains of a killed backup', async () => {
  const from = newFolder();
  const running = openState(from);
  await running.count();
  mkdirSync(join(from, 'copy-killed', 'v3'), { recursive: true });
  await backUp(from, join(newFolder(), 'backup.tar'));
  expect(existsSync(join(from, 'copy-killed'))).toBe(false);
});

it('the next owner finishes a restore that was killed between its renames', async () => {
  const folder = newFolder();
  mkdirSync(join(folder, 'v3-before-x'));
  mkdirSync(join(folder, 'v3-restored', 'd1'), { recursive: true });
  ownState(folder).release();
  expect(globSync('v3*', { cwd: folder }).sort()).toEqual(['v3', 'v3-before-x']);
  expect(existsSync(join(folder, 'v3', 'd1'))).toBe(true);
  renameSync(join(folder, 'v3'), join(folder, 'v3-restored'));
  mkdirSync(join(folder, 'v3'));
  ownState(folder).release();
  expect(existsSync(join(folder, 'v3', 'd1'))).toBe(true);
});

it('a backup and a restore are refused while another one runs in the folder', async () => {
  const folder = newFolder();
  mkdirSync(join(folder, 'v3'));
  const lock = lockBackups(folder);
  const file = join(newFolder(), 'backup.tar');
  const refusal = `is being backed up or restored (process ${process.pid})`;
  await expect(backUp(folder, file)).rejects.toThrow(refusal);
  await expect(restore(folder, file)).rejects.toThrow(refusal);
  lock.release();
});
