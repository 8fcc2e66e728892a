import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { descendantsOf } from '../support/descendants.ts';
import { startService, stopService } from '../support/global-setup.ts';

it('is logged when workerd died, and calls are answered again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tools-restart-'));
  const { child, baseUrl } = await startService({ STATE_DIR: folder });
  onTestFinished(async () => {
    await stopService(child);
    rmSync(folder, { recursive: true, force: true });
  });
  const restarted = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      if (line === '{"event":"worker-restarted"}') resolve();
    });
  });
  const workerd = [...descendantsOf(child.pid!)].find(([, command]) => /workerd/.test(command));
  process.kill(workerd![0], 'SIGKILL');
  await restarted;
  await expect
    .poll(() => fetch(`${baseUrl}/health`).then(({ status }) => status), { timeout: 30_000 })
    .toBe(200);
}, 120_000);
