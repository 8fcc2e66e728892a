/**
 * Kills a service at random moments, and checks that the next start has the data that the service had confirmed. After
 * a restore, these are the data that were confirmed before the backup.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { confirmedByRelease, copyOf, countOf, lostOf, write } from './confirmed-calls.ts';
import { serviceEnvironment, startService, stopService } from './global-setup.ts';
import { unpackReleaseState } from './release-state.ts';

/**
 * The maximum time that an upgrading service runs before it is killed, in milliseconds. The service migrates its
 * databases in this phase.
 */
const LONGEST_START_MS = 6000;
/**
 * The bound of the random number of calls that are confirmed before the backup, and again between the backup and the
 * kill. A random pause of up to `LONGEST_PAUSE_MS` precedes the kill.
 */
const MAX_CALLS = 30;
const LONGEST_PAUSE_MS = 60;
/** The maximum time that a restore runs before it is killed, in milliseconds. */
const LONGEST_RESTORE_MS = 1500;

export const KILLS_PER_ROUND = 3;

export interface KillReport {
  confirmed: number;
  lost: string[];
}

/**
 * Kills a service in three phases: while it upgrades the state of an earlier release, under load after a backup, and
 * while the backup is restored.
 */
export async function killInOneRound(): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), 'tools-kills-'));
  const [stateDir, archive] = [join(folder, 'state'), join(folder, 'backup.tar')];
  const env = { STATE_DIR: stateDir, PORT: '0', RATE_LIMITS: 'off' };
  const run = (script: string, ...words: string[]) =>
    spawn(process.execPath, [script, ...words], { stdio: 'ignore', env: serviceEnvironment(env) });
  try {
    const confirmed = confirmedByRelease(unpackReleaseState(stateDir));
    await killWithin(run('scripts/serve.ts'), LONGEST_START_MS);

    const first = await startService(env);
    const lost = await lostOf(first.baseUrl, confirmed);
    const over = new AbortController();
    const writing = write({ baseUrl: first.baseUrl, stateDir }, confirmed, over.signal);
    await moreThan(countOf(confirmed) + randomInt(1, MAX_CALLS));
    const archived = copyOf(confirmed);
    const [status] = await once(run('scripts/backup.ts', archive), 'exit');
    if (status !== 0) lost.push(`the backup ended with ${status}`);
    await moreThan(countOf(confirmed) + randomInt(1, MAX_CALLS));
    await killWithin(first.child, LONGEST_PAUSE_MS);
    over.abort();
    await writing;

    await killWithin(run('scripts/restore.ts', archive), LONGEST_RESTORE_MS);
    const second = await startService(env);
    lost.push(...(await lostOf(second.baseUrl, archived)));
    await stopService(second.child);
    return { confirmed: countOf(confirmed), lost };

    async function moreThan(count: number): Promise<void> {
      while (countOf(confirmed) <= count) await sleep(5);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function killWithin(child: ChildProcess, ms: number): Promise<void> {
  const exited = once(child, 'exit');
  await sleep(randomInt(ms));
  child.kill('SIGKILL');
  await exited;
}
