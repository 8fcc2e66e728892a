/** Locks a state folder for one process, because two services would overwrite each other's counts and jobs. */
import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../src/command/make-folder.ts';
import { replaceFile } from './replace-file.ts';
import { swapState } from './swap-state.ts';

/** The information that the lock's owner publishes to other processes. */
interface Owner {
  pid: number;
  /** The service's address. Undefined until the service listens. */
  address?: string;
}

const SQLITE_BUSY = 5;

/** Keeps the databases referenced, because garbage collection would close them and release their locks. */
const held = new Set<DatabaseSync>();

export class StateUnavailable extends Error {}

export interface OwnedState {
  /** Publishes the service's address to other processes. */
  listensAt(address: string): void;
  release(): void;
}

/**
 * Locks the folder while this process runs, and finishes an interrupted restore. Throws StateUnavailable if another
 * process owns the folder or if the folder is not writable.
 */
export function ownState(stateDir: string): OwnedState {
  const owned = lock(stateDir, 'owner', 'in use by another service');
  swapState(stateDir);
  return owned;
}

/**
 * Locks the folder for a backup or restore. Throws StateUnavailable if another one is running or if the folder is not
 * writable.
 */
export const lockBackups = (stateDir: string): OwnedState =>
  lock(stateDir, 'backup', 'being backed up or restored');

/**
 * Locks the folder with an SQLite lock on an empty database. The kernel releases the lock when the process ends, even
 * after a crash, so no lock can become stale.
 */
function lock(stateDir: string, name: string, state: string): OwnedState {
  const path = join(stateDir, `${name}.json`);
  const database = openLock(stateDir, name);
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw unwritable(stateDir, error);
    throw new StateUnavailable(taken(`${resolve(stateDir)} is ${state}`, readOwner(path)));
  }
  held.add(database);
  const write = (owner: Owner) => replaceFile(path, `${JSON.stringify(owner)}\n`);
  write({ pid: process.pid });
  return {
    listensAt: (address) => write({ pid: process.pid, address }),
    release: () => {
      rmSync(path, { force: true });
      held.delete(database);
      database.close();
    },
  };
}

function openLock(stateDir: string, name: string): DatabaseSync {
  try {
    makeFolder(stateDir);
    return new DatabaseSync(join(stateDir, `${name}.lock`), { timeout: 0 });
  } catch (error) {
    throw unwritable(stateDir, error);
  }
}

const unwritable = (stateDir: string, error: unknown) =>
  new StateUnavailable(
    `STATE_DIR ${resolve(stateDir)} cannot be used (${(error as Error).message}). Make it writable for this user, or set a different STATE_DIR.`,
  );

function readOwner(path: string): Partial<Owner> {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}

function taken(what: string, { pid, address }: Partial<Owner>): string {
  const who = [address && `at ${address}`, pid && `process ${pid}`].filter(Boolean).join(', ');
  return `STATE_DIR ${what}${who && ` (${who})`}. Stop that process, or set a different STATE_DIR.`;
}
