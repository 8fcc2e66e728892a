/** Writes a version of the content beside the one that answers, then makes it the one that answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ContentDocument, removalOfOthers } from '../../src/core/content.ts';
import { digestOf, versionStatements } from './build-index.ts';
import type { Statement } from './insert-rows.ts';

/** Where statements run: the local database, or the deployed one. */
export interface Target {
  /** The version that answers, and its digest. */
  current(): Promise<{ version: number; digest: string } | null>;
  /** Runs these in their order. What fails may leave some of them done. */
  run(statements: Iterable<Statement>): Promise<void>;
}

export interface Ingested {
  version: number;
  /** False where the documents are as they were. */
  changed: boolean;
}

/**
 * Brings the content to the state of `documents`. Where it breaks off, the old version goes on answering, and the next
 * run removes what was left.
 */
export async function ingest(
  documents: readonly ContentDocument[],
  target: Target,
  now: number,
): Promise<Ingested> {
  const current = await target.current();
  if (current?.digest === digestOf(documents)) return { version: current.version, changed: false };
  // Two numbers take turns, as long as nothing else is left in the tables.
  const version = current ? 3 - current.version : 1;
  const statements = [...versionStatements(documents, version, now)];
  // That took this process's whole attention: connections that ended meanwhile must be seen to have ended.
  await sleep(50);
  await target.run(removalOfOthers(current?.version ?? 0));
  await target.run(statements);
  // Requests that began with the old version end within seconds; it is removed by the next run.
  return { version, changed: true };
}
