/**
 * Reads and edits the index of stored files: the database in which Miniflare's R2 maps each object to its blob, which
 * is a file on disk.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Returns the path of each blob by its ID. `folder` contains the index and the blobs. */
export const blobsIn = (folder: string): Map<string, string> =>
  new Map(
    globSync('*/blobs/*', { cwd: folder }).map((path) => [
      path.slice(path.lastIndexOf('/') + 1),
      join(folder, path),
    ]),
  );

/** Returns the blob IDs of all objects and of the parts of multipart uploads. */
export function blobIds(database: DatabaseSync): string[] {
  if (!hasObjects(database)) return [];
  const rows = database
    .prepare(
      `SELECT blob_id FROM _mf_objects WHERE blob_id IS NOT NULL
       UNION SELECT blob_id FROM _mf_multipart_parts`,
    )
    .all();
  return rows.map(({ blob_id }) => String(blob_id));
}

/** Restores objects that were deleted after an earlier copy of the index was made. */
export function addDeletedSince(path: string, earlier: string): void {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  try {
    if (!hasObjects(database)) return;
    database.prepare('ATTACH ? AS earlier').run(earlier);
    database.exec(`BEGIN;
      CREATE TEMP TABLE deleted AS SELECT key FROM earlier._mf_objects
        WHERE key NOT IN (SELECT key FROM main._mf_objects);
      INSERT INTO main._mf_objects SELECT * FROM earlier._mf_objects
        WHERE key IN (SELECT key FROM deleted);
      INSERT OR REPLACE INTO main._mf_multipart_parts SELECT * FROM earlier._mf_multipart_parts
        WHERE object_key IN (SELECT key FROM deleted);
      COMMIT`);
  } finally {
    database.close();
  }
}

/** Drops the objects whose blobs are not in `present`. */
export function dropMissing(path: string, present: ReadonlyMap<string, string>): void {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  try {
    for (const id of blobIds(database).filter((blob) => !present.has(blob))) {
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

const hasObjects = (database: DatabaseSync): boolean =>
  database.prepare("SELECT 1 FROM sqlite_schema WHERE name = '_mf_objects'").get() !== undefined;
