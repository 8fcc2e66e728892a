/** Writes a version of the content beside the one that answers, then makes it the one that answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ContentDocument, removalOfOthers } from '../../src/core/content.ts';
import { digestOf, versionStatements } from './build-index.ts';
import type { Statement } from './insert-rows.ts';
import { IngestLock } from './lock.ts';

/** Where statements run: the local database, or the deployed one. */
export interface Target {
  /** The rows of one statement. */
  query(statement: Statement): Promise<Record<string, unknown>[]>;
  /** Runs these in their order, `beforeEach` before each request. What fails may leave some of them done. */
  run(statements: Iterable<Statement>, beforeEach: () => Promise<void>): Promise<void>;
}

export interface Ingested {
  version: number;
  /** False where the documents are as they were. */
  changed: boolean;
}

/**
 * Brings the content to the state of `documents`. Where it breaks off, the old version goes on answering, and the next
 * run removes what was left. While another ingest writes, it waits, `patienceMs` at most.
 */
export async function ingest(
  documents: readonly ContentDocument[],
  target: Target,
  now: number,
  patienceMs?: number,
): Promise<Ingested> {
  const digest = digestOf(documents);
  const lock = new IngestLock(target);
  let current = await currentOf(target);
  while (current?.digest !== digest) {
    // Two numbers take turns, as long as nothing else is left in the tables.
    const version = current ? 3 - current.version : 1;
    const statements = [...versionStatements(documents, version, now)];
    // That took this process's whole attention: connections that ended meanwhile must be seen to have ended.
    await sleep(50);
    await lock.take(patienceMs);
    try {
      const before = current;
      current = await currentOf(target);
      // Another one has written meanwhile: what was made is of the wrong version, or not needed.
      if (current?.digest !== before?.digest) continue;
      await target.run([...removalOfOthers(before?.version ?? 0), ...statements], () =>
        lock.keep(),
      );
      // Requests that began with the old version end within seconds; it is removed by the next run.
      return { version, changed: true };
    } finally {
      await lock.release();
    }
  }
  return { version: current.version, changed: false };
}

/** The version that answers, and its digest; null before the first ingest. */
async function currentOf(target: Target): Promise<{ version: number; digest: string } | null> {
  const sql = 'SELECT version, digest FROM content_state WHERE id = 1';
  const [row] = await target.query({ sql, values: [] });
  return (row as { version: number; digest: string } | undefined) ?? null;
}
