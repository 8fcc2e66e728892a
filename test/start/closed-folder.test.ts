import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { serviceEnvironment, stopService } from '../support/global-setup.ts';
import { canMount, hasUsers } from '../support/this-machine.ts';

/** Starts the service in a folder that only root can enter. Returns its lines about confinement. */
async function confinementIn(program: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tools-closed-'));
  const state = mkdtempSync(join(tmpdir(), 'tools-closed-state-'));
  const repository = join(folder, 'repository');
  mkdirSync(repository);
  const script = `mount --bind . "$1" && cd "$1" && exec ${program} scripts/serve.ts`;
  const words = ['--mount', '--propagation', 'private', '--', 'sh', '-c', script, 'sh'];
  const child = spawn('unshare', [...words, repository], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: serviceEnvironment({ PORT: '0', STATE_DIR: state, RATE_LIMITS: 'off' }),
  });
  try {
    const said: string[] = [];
    await new Promise<void>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
      // All output is read, because the service continues to print.
      createInterface({ input: child.stdout }).on('line', (line) => {
        said.push(line);
        if (line.startsWith('The service is at')) resolve();
      });
    });
    return said.filter((line) => line.startsWith('Confinement of'));
  } finally {
    await stopService(child);
    for (const path of [folder, state]) rmSync(path, { recursive: true, force: true });
  }
}

describe.runIf(canMount && hasUsers)(
  'a service started by root in a folder that only root can enter',
  () => {
    it('runs its parts as their own users', async () => {
      const lines = await confinementIn('node');
      expect(lines.map((line) => /: (user \d+)/.exec(line)?.[1])).toEqual([
        'user 61901',
        'user 61903',
        'user 61902',
      ]);
    });

    it('starts without mount namespaces, and reports what is not confined', async () => {
      const lines = await confinementIn('setpriv --bounding-set=-sys_admin node');
      expect(lines[0]).toContain('user 61901 cannot open');
    });
  },
);
