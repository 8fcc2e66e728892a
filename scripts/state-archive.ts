/**
 * Backups of the state of a local service: a tar file of consistent copies. A service may run meanwhile. Databases are
 * copied by SQLite's own backup: first those that refer to stored files, then the index of the files, then the files,
 * which are never changed in place. So everything that a copied row refers to is in the archive.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, globSync, readFileSync } from 'node:fs';
import { copyFile, link, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';

/** The folder of all state, as Miniflare lays it out. */
const STATE = 'v3';
const MANIFEST = 'manifest.json';
const FORMAT = 1;
const BUSY_MS = 60_000;

interface Manifest {
  format: number;
  createdAt: string;
  /** The SHA-256 of each file by its path. */
  files: Record<string, string>;
}

export interface Archived {
  files: number;
  bytes: number;
}

/** Writes a backup of `stateDir` to `file`. Throws if there is no state, or if the archive cannot be written. */
export async function backUp(stateDir: string, file: string): Promise<Archived> {
  const databases = listed(stateDir, '**/*.sqlite');
  if (databases.length === 0) throw new Error(`There is no state in ${resolve(stateDir)}.`);
  // In the folder itself, so that stored files are linked instead of copied.
  const copy = await mkdtemp(join(resolve(stateDir), 'backup-'));
  try {
    const isIndex = (path: string) => path.startsWith(`${STATE}/r2/`);
    for (const path of databases.toSorted((a, b) => Number(isIndex(a)) - Number(isIndex(b)))) {
      await copyDatabase(join(stateDir, path), join(copy, path));
    }
    const files = listed(stateDir, '**/blobs/**');
    for (const path of files) await linkOrCopy(join(stateDir, path), join(copy, path));
    for (const path of databases.filter(isIndex)) dropDeleted(join(copy, path));
    const archived = await describe(copy);
    const draft = `${resolve(file)}.${process.pid}`;
    tar(['--create', '--file', draft, '--directory', copy, MANIFEST, STATE]);
    await rename(draft, file);
    return archived;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/**
 * Replaces the state in `stateDir` by a backup, once every file of it has proved intact. Returns the folder to which an
 * earlier state was moved. Only the owner of `stateDir` may call it.
 */
export async function restore(
  stateDir: string,
  file: string,
): Promise<Archived & { moved?: string }> {
  await mkdir(stateDir, { recursive: true });
  const copy = await mkdtemp(join(resolve(stateDir), 'restore-'));
  try {
    tar(['--extract', '--file', resolve(file), '--directory', copy, '--no-same-owner']);
    const archived = await check(copy);
    const current = join(stateDir, STATE);
    const moved = `${current}-before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    const hadState = await rename(current, moved).then(
      () => true,
      () => false,
    );
    await rename(join(copy, STATE), current);
    return { ...archived, ...(hadState && { moved }) };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

const listed = (folder: string, pattern: string): string[] =>
  globSync(`${STATE}/${pattern}`, { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(resolve(folder).length + 1))
    .sort();

async function copyDatabase(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  const database = new DatabaseSync(from, { readOnly: true, timeout: BUSY_MS });
  try {
    await backup(database, to);
  } finally {
    database.close();
  }
}

/** A file that was deleted meanwhile is left out. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  try {
    await link(from, to).catch(() => copyFile(from, to));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Drops the objects of an index of R2 whose files were deleted before they were copied. */
function dropDeleted(path: string): void {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  try {
    for (const id of missingBlobs(path, database)) {
      database
        .prepare(
          `DELETE FROM _mf_objects WHERE blob_id = ?1 OR
             key IN (SELECT object_key FROM _mf_multipart_parts WHERE blob_id = ?1)`,
        )
        .run(id);
      database.prepare('DELETE FROM _mf_multipart_parts WHERE blob_id = ?').run(id);
    }
  } finally {
    database.close();
  }
}

/** The files that an index of R2 names and that are not beside it. */
function missingBlobs(path: string, database: DatabaseSync): string[] {
  const hasObjects = database
    .prepare("SELECT 1 FROM sqlite_schema WHERE name = '_mf_objects'")
    .get();
  if (!hasObjects) return [];
  const present = new Set(
    globSync('**/blobs/*', { cwd: join(path, '../..') }).map((name) => name.split('/').at(-1)),
  );
  const rows = database
    .prepare(
      `SELECT blob_id FROM _mf_objects WHERE blob_id IS NOT NULL
       UNION SELECT blob_id FROM _mf_multipart_parts`,
    )
    .all();
  return rows.map(({ blob_id }) => String(blob_id)).filter((id) => !present.has(id));
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

/** Throws if a file is missing, changed or surplus, if a database is corrupt, or if an object has no file. */
async function check(copy: string): Promise<Archived> {
  const manifest: Manifest = JSON.parse(readFileSync(join(copy, MANIFEST), 'utf8'));
  if (manifest.format !== FORMAT) {
    throw new Error(`The backup has format ${manifest.format}, and this version reads ${FORMAT}.`);
  }
  const present = listed(copy, '**');
  if (present.join() !== Object.keys(manifest.files).sort().join()) {
    throw new Error('The backup is incomplete: its files are not those that it lists.');
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

function checkDatabase(file: string, path: string): void {
  const database = new DatabaseSync(file);
  try {
    const [first] = database.prepare('PRAGMA integrity_check').all();
    const isIntact =
      Object.values(first ?? {})[0] === 'ok' && missingBlobs(file, database).length === 0;
    if (!isIntact) throw new Error(`The backup is damaged: ${path} is corrupt or lacks files.`);
  } finally {
    database.close();
  }
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
