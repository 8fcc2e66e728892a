import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { serviceEnvironment, stopService } from '../support/global-setup.ts';

it.runIf(process.getuid?.() === 0)(
  'a service started by root in a folder that only root can enter runs its parts as their own users',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tools-closed-'));
    const state = mkdtempSync(join(tmpdir(), 'tools-closed-state-'));
    const repository = join(folder, 'repository');
    mkdirSync(repository);
    const script = 'mount --bind . "$1" && cd "$1" && exec node scripts/serve.ts';
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
      const confinement = said.filter((line) => line.startsWith('Confinement of'));
      expect(confinement.map((line) => /: (user \d+)/.exec(line)?.[1])).toEqual([
        'user 61901',
        'user 61903',
        'user 61902',
      ]);
    } finally {
      await stopService(child);
      for (const path of [folder, state]) rmSync(path, { recursive: true, force: true });
    }
  },
);
