import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { addDeletedSince, blobIds, dropMissing } from './file-index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tools-index-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

/**
 * Creates an index with the same tables as Miniflare's. `objects` maps each key to the ID of its blob, or to the blob
 * IDs of its parts.
 */
function makeIndex(name: string, objects: Record<string, string | string[]>): string {
  const path = join(folder, name);
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  database.exec(`CREATE TABLE _mf_objects (key TEXT PRIMARY KEY, blob_id TEXT);
    CREATE TABLE _mf_multipart_parts (upload_id TEXT, part_number INTEGER, blob_id TEXT, object_key TEXT,
      PRIMARY KEY (upload_id, part_number))`);
  for (const [key, blobs] of Object.entries(objects)) {
    const single = typeof blobs === 'string' ? blobs : null;
    database.prepare('INSERT INTO _mf_objects VALUES (?, ?)').run(key, single);
    for (const [number, blob] of (single === null ? [...blobs] : []).entries())
      database
        .prepare('INSERT INTO _mf_multipart_parts VALUES (?, ?, ?, ?)')
        .run(key, number, blob, key);
  }
  database.close();
  return path;
}

function read(path: string): { keys: unknown[]; blobs: string[] } {
  const database = new DatabaseSync(path);
  const keys = database.prepare('SELECT key FROM _mf_objects ORDER BY key').all();
  const blobs = blobIds(database);
  database.close();
  return { keys: keys.map(({ key }) => key), blobs };
}

it('addDeletedSince adds objects deleted after the earlier copy, with their parts, and replaces none', () => {
  const earlier = makeIndex('earlier', { input: 'a', large: ['b', 'c'], replaced: 'd' });
  const later = makeIndex('later', { output: 'e', replaced: 'f' });
  addDeletedSince(later, earlier);
  expect(read(later)).toEqual({
    keys: ['input', 'large', 'output', 'replaced'],
    blobs: ['a', 'b', 'c', 'e', 'f'],
  });
});

it('dropMissing removes objects that lack a blob', () => {
  const index = makeIndex('index', { whole: 'a', lost: 'b', partly: ['c', 'd'] });
  dropMissing(
    index,
    new Map([
      ['a', 'blobs/a'],
      ['c', 'blobs/c'],
    ]),
  );
  expect(read(index).keys).toEqual(['whole']);
});
