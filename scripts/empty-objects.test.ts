import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { deleteEmptyObjects } from './empty-objects.ts';

const HOUR_MS = 3600_000;

let stateDir: string;
let folder: string;
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'tools-objects-'));
  folder = join(stateDir, 'v3/do/-Job');
  mkdirSync(folder, { recursive: true });
  onTestFinished(() => rmSync(stateDir, { recursive: true }));
});

/** Creates the database of an object, as workerd does when it opens the object. Returns the file's name. */
function makeObject(id: string, sql = ''): string {
  const name = `${id.repeat(64)}.sqlite`;
  const database = new DatabaseSync(join(folder, name));
  database.exec(`PRAGMA journal_mode = WAL; ${sql}`);
  database.close();
  return name;
}

const inHours = (hours: number) => Date.now() + hours * HOUR_MS;

it('deletes the files of objects that store nothing and were not used for an hour', async () => {
  makeObject('0');
  const used = makeObject('1', 'CREATE TABLE _cf_KV (key TEXT PRIMARY KEY, value BLOB)');
  const open = makeObject('2');
  writeFileSync(join(folder, `${open}-wal`), '');
  writeFileSync(join(folder, 'metadata.sqlite'), '');
  await deleteEmptyObjects(stateDir, inHours(2));
  expect(readdirSync(folder).sort()).toEqual([used, open, `${open}-wal`, 'metadata.sqlite']);
});

it('keeps a file that was used within the last hour', async () => {
  const name = makeObject('0');
  await deleteEmptyObjects(stateDir, inHours(0.5));
  expect(existsSync(join(folder, name))).toBe(true);
});

it('does nothing before the first object exists', async () => {
  await deleteEmptyObjects(join(stateDir, 'none'), inHours(2));
});
