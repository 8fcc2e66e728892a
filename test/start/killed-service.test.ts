import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { killAgain } from '../support/killed-service.ts';

/** test/long/killed-service.test.ts kills it more often. */
it('a service that is killed while it starts and under load loses nothing that it confirmed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tools-kills-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { confirmed, lost } = await killAgain(folder, 3, 1);
  expect(lost).toEqual([]);
  expect(confirmed).toBeGreaterThan(0);
});
