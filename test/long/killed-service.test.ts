import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { killAgain } from '../support/killed-service.ts';

it('a service that is killed at 50 random moments loses nothing that it confirmed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tools-kills-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { confirmed, lost } = await killAgain(folder, 50, 15);
  console.log(`${confirmed} confirmed calls, ${lost.length} lost`);
  expect(lost).toEqual([]);
  expect(confirmed).toBeGreaterThan(50);
});
