/** Reads the content of a service's R2 storage on disk: objects, unfinished uploads, and blob files. */
import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { servicePid } from '../support/service.ts';
import { workerdOf } from '../support/workerd-process.ts';

export interface StoredBytes {
  objects: number;
  /** The number of multipart uploads that were neither completed nor aborted. */
  openUploads: number;
  /** The number of blob files, including those without a record. */
  blobs: number;
  bytes: number;
}

/** Reads the R2 folder that workerd has open. */
export function storedBytes(service = servicePid): StoredBytes {
  const folder = r2Folder(workerdOf(service));
  const stored: StoredBytes = { objects: 0, openUploads: 0, blobs: 0, bytes: 0 };
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    if (entry.parentPath.endsWith('blobs')) {
      // The file may have been deleted since it was listed.
      const size = statSync(path, { throwIfNoEntry: false })?.size;
      if (size === undefined) continue;
      stored.blobs += 1;
      stored.bytes += size;
    } else if (entry.name.endsWith('.sqlite') && entry.name !== 'metadata.sqlite') {
      const database = new DatabaseSync(path, { readOnly: true });
      stored.objects += count(database, '_mf_objects');
      stored.openUploads += count(database, '_mf_multipart_uploads WHERE state = 0');
      database.close();
    }
  }
  return stored;
}

/** Waits until the storage equals `before`, because deletions may finish after a response. Returns the last state. */
export async function storedBytesAgain(
  before: StoredBytes,
  service = servicePid,
): Promise<StoredBytes> {
  for (let round = 0; round < 1200; round += 1) {
    if (JSON.stringify(storedBytes(service)) === JSON.stringify(before)) return before;
    await pause(100);
  }
  return storedBytes(service);
}

const count = (database: DatabaseSync, from: string) =>
  Number(database.prepare(`SELECT count(*) AS number FROM ${from}`).get()?.number);

function r2Folder(pid: number): string {
  for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
    try {
      const folder = /^(.*\/r2)\//.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`))?.[1];
      if (folder) return folder;
    } catch {
      // The file has since been closed.
    }
  }
  throw new Error('workerd has no R2 folder open');
}
