/**
 * Backs up a service several times while it handles writes. Then restores each backup, and checks that it contains the
 * data of all calls that were confirmed before that backup.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { copyOf, countOf, lostOf, nothingConfirmed, write } from './confirmed-calls.ts';
import { serviceEnvironment, startService, stopService } from './global-setup.ts';

/** Backup N starts when at least N times this number of calls have been confirmed. */
const CALLS = 15;

/**
 * Returns the number of calls that were confirmed before the last backup, and a description of the data that the
 * restored services lack.
 */
export async function backUpUnderLoad(
  backups: number,
): Promise<{ confirmed: number; lost: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'tools-backups-'));
  const stateDir = join(folder, 'state');
  try {
    const { child, baseUrl } = await startService({ STATE_DIR: stateDir });
    const confirmed = nothingConfirmed();
    const over = new AbortController();
    const writing = write({ baseUrl, stateDir }, confirmed, over.signal);
    const archives = [];
    for (let number = 1; number <= backups; number++) {
      while (countOf(confirmed) < number * CALLS) await sleep(5);
      const archive = join(folder, `${number}.tar`);
      archives.push({ archive, before: copyOf(confirmed) });
      await run('scripts/backup.ts', stateDir, archive);
    }
    over.abort();
    await writing;
    await stopService(child);
    const lost: string[] = [];
    for (const { archive, before } of archives) {
      const restored = `${archive}-restored`;
      await run('scripts/restore.ts', restored, archive);
      const service = await startService({ STATE_DIR: restored });
      lost.push(...(await lostOf(service.baseUrl, before)));
      await stopService(service.child);
    }
    return { confirmed: countOf(archives.at(-1)!.before), lost };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function run(script: string, stateDir: string, archive: string): Promise<void> {
  const program = spawn(process.execPath, [script, archive], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: serviceEnvironment({ STATE_DIR: stateDir }),
  });
  const [status] = await once(program, 'exit');
  if (status !== 0) throw new Error(`${script} ended with ${status}`);
}
