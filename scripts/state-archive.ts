/**
 * Backs up the state of a local service to a tar file of consistent copies, even while the service is running, and
 * restores it. Databases are copied with SQLite's backup API. Stored files never change, so they are hard-linked. The
 * file index is copied twice, before and after all other databases, so that the archive has every file to which a
 * copied row refers. The second copy includes files stored between the two copies, and the first copy includes files
 * deleted between them.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, globSync, readFileSync } from 'node:fs';
import {
  copyFile,
  link,
  mkdir,
  mkdtemp,
  open,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { addDeletedSince, blobIds, blobsIn, dropMissing } from './file-index.ts';
import { hasTable } from './local-database.ts';
import { lockBackups } from './state-owner.ts';
import { RESTORED, STATE, swapState } from './swap-state.ts';

/** The folder that contains R2's index and blobs. */
const FILES = join(STATE, 'r2');
/** The cache is not backed up, because Miniflare rebuilds it. */
const CACHE = join(STATE, 'cache');
const MANIFEST = 'manifest.json';
const FORMAT = 1;
const BUSY_MS = 60_000;
/** The prefix of the folders in which copies are made, inside the state folder. */
const COPY = 'copy-';

interface Manifest {
  format: number;
  createdAt: string;
  /** The SHA-256 of each file, by path. */
  files: Record<string, string>;
}

export interface Archived {
  files: number;
  bytes: number;
}

/**
 * Writes a backup of `stateDir` to `file`. Throws if there is no state, if another backup or restore is running, or if
 * the archive cannot be written.
 */
export async function backUp(stateDir: string, file: string): Promise<Archived> {
  if (!existsSync(join(stateDir, STATE)))
    throw new Error(`There is no state in ${resolve(stateDir)}. Check STATE_DIR.`);
  const lock = lockBackups(stateDir);
  const draft = `${resolve(file)}.part`;
  try {
    // The copy is inside the state folder, because hard links cannot cross file systems.
    const copy = await mkdtemp(join(resolve(stateDir), COPY));
    await copyState(resolve(stateDir), copy);
    const archived = await describe(copy);
    tar(['--create', '--file', draft, '--directory', copy, MANIFEST, STATE]);
    await flush(draft);
    await rename(draft, file);
    return archived;
  } finally {
    // The draft still exists if writing it failed.
    await rm(draft, { force: true });
    await removeCopies(stateDir);
    lock.release();
  }
}

/**
 * Replaces the state in `stateDir` with a backup, after verifying every file of the backup. `moved` in the result is
 * the folder to which the previous state, if any, was moved. The caller must own `stateDir`.
 */
export async function restore(
  stateDir: string,
  file: string,
): Promise<Archived & { moved?: string }> {
  const lock = lockBackups(stateDir);
  try {
    const copy = await mkdtemp(join(resolve(stateDir), COPY));
    tar(['--extract', '--file', resolve(file), '--directory', copy, '--no-same-owner']);
    const archived = await check(copy);
    await rename(join(copy, STATE), join(stateDir, RESTORED));
    const moved = swapState(stateDir);
    return { ...archived, ...(moved && { moved }) };
  } finally {
    await removeCopies(stateDir);
    lock.release();
  }
}

/** Copies the state. The databases are copied in a fixed order, so that the copies are consistent with each other. */
async function copyState(stateDir: string, copy: string): Promise<void> {
  const databases = listed(stateDir, '**/*.sqlite').filter((path) => !path.startsWith(`${CACHE}/`));
  const indexes = databases.filter((path) => path.startsWith(`${FILES}/`));
  const earlier = join(copy, 'earlier');
  for (const path of indexes) {
    await copyDatabase(join(stateDir, path), join(earlier, path));
    await linkBlobs(stateDir, copy, join(earlier, path));
  }
  const others = databases.filter((path) => !indexes.includes(path));
  const ranked = others.map((path) => ({ path, rank: rankOf(stateDir, path) }));
  for (const { path } of ranked.toSorted((a, b) => a.rank - b.rank)) {
    await copyDatabase(join(stateDir, path), join(copy, path));
  }
  for (const path of indexes) {
    await copyDatabase(join(stateDir, path), join(copy, path));
    await linkBlobs(stateDir, copy, join(copy, path));
    addDeletedSince(join(copy, path), join(earlier, path));
    dropMissing(join(copy, path), blobsIn(join(copy, FILES)));
  }
}

/**
 * Returns the position of a database in the order of copying. Databases with alarms come first: a Durable Object
 * corrects an alarm that is too early, but an alarm that is too late would leave a job waiting. The accounts database
 * follows, because data in the other databases is deleted before its account, and scripts/move-tables.ts writes rows to
 * the other databases before it deletes them from the accounts database.
 */
function rankOf(stateDir: string, path: string): number {
  if (path.endsWith('/metadata.sqlite')) return 0;
  if (!path.startsWith(`${STATE}/d1/`)) return 2;
  const database = new DatabaseSync(join(stateDir, path), { readOnly: true, timeout: BUSY_MS });
  const isAccounts = hasTable(database, 'accounts');
  database.close();
  return isAccounts ? 1 : 2;
}

/** Removes the copies, including those of interrupted backups and restores. */
async function removeCopies(stateDir: string): Promise<void> {
  for (const name of globSync(`${COPY}*`, { cwd: stateDir })) {
    await rm(join(stateDir, name), { recursive: true, force: true });
  }
}

const listed = (folder: string, pattern: string): string[] =>
  globSync(`${STATE}/${pattern}`, { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();

/** Copies a database. Skips a Durable Object that has since been deleted, because it no longer has a database. */
async function copyDatabase(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  try {
    const database = new DatabaseSync(from, { readOnly: true, timeout: BUSY_MS });
    await backup(database, to).finally(() => database.close());
  } catch (error) {
    if (existsSync(from)) throw error;
    await rm(to, { force: true });
  }
}

/** Links the blobs to which a copied index refers. Skips blobs that have been deleted since. */
async function linkBlobs(stateDir: string, copy: string, index: string): Promise<void> {
  const database = new DatabaseSync(index, { readOnly: true });
  const ids = blobIds(database);
  database.close();
  const blobs = blobsIn(join(stateDir, FILES));
  for (const from of ids.map((id) => blobs.get(id))) {
    if (from === undefined) continue;
    const to = join(copy, relative(stateDir, from));
    if (existsSync(to)) continue;
    await mkdir(dirname(to), { recursive: true });
    try {
      await link(from, to).catch(() => copyFile(from, to));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

async function describe(copy: string): Promise<Archived> {
  const files: Manifest['files'] = {};
  let bytes = 0;
  for (const path of listed(copy, '**')) {
    files[path] = await sha256(join(copy, path));
    bytes += (await stat(join(copy, path))).size;
  }
  const manifest: Manifest = { format: FORMAT, createdAt: new Date().toISOString(), files };
  await writeFile(join(copy, MANIFEST), JSON.stringify(manifest));
  return { files: Object.keys(files).length, bytes };
}

/** Throws if a file is missing, changed or unexpected, if a database is corrupt, or if an object has no file. */
async function check(copy: string): Promise<Archived> {
  const manifest = readManifest(join(copy, MANIFEST));
  if (manifest.format !== FORMAT) {
    throw new Error(`The backup has format ${manifest.format}, but this version reads ${FORMAT}.`);
  }
  const present = listed(copy, '**');
  if (present.join() !== Object.keys(manifest.files).sort().join()) {
    throw new Error(`The backup is damaged: its files do not match its ${MANIFEST}.`);
  }
  let bytes = 0;
  for (const path of present) {
    if ((await sha256(join(copy, path))) !== manifest.files[path]) {
      throw new Error(`The backup is damaged: ${path} was changed.`);
    }
    bytes += (await stat(join(copy, path))).size;
    if (path.endsWith('.sqlite')) checkDatabase(join(copy, path), path);
  }
  return { files: present.length, bytes };
}

function readManifest(path: string): Manifest {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new Error(`This is not a backup of this service: it has no readable ${MANIFEST}.`);
  }
}

function checkDatabase(file: string, path: string): void {
  const database = new DatabaseSync(file);
  try {
    const [first] = database.prepare('PRAGMA integrity_check').all();
    const blobs = blobsIn(join(file, '../..'));
    const isIntact =
      Object.values(first ?? {})[0] === 'ok' && blobIds(database).every((id) => blobs.has(id));
    if (!isIntact) throw new Error(`The backup is damaged: ${path} is corrupt or incomplete.`);
  } finally {
    database.close();
  }
}

/** Flushes the file to disk, so that the renamed file survives a power failure. */
async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.sync();
  await handle.close();
}

async function sha256(file: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(file), digest);
  return digest.digest('hex');
}

function tar(words: string[]): void {
  const { status, error, stderr } = spawnSync('tar', words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`tar failed: ${error?.message ?? stderr.trim()}`);
}
