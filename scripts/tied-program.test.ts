import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { scriptKey, writeTiedProgram } from './tied-program.ts';

it('a tied program starts with the given environment and uses only system programs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tools-tied-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['setpriv', 'prlimit', 'env']) {
    writeFileSync(join(folder, name), '#!/bin/sh\necho taken from PATH', { mode: 0o755 });
  }
  const script = join(folder, 'script');
  writeTiedProgram(script, '/usr/bin/env', { environment: 'HOME="$HOME" LC_ALL=C.UTF-8' });
  const env = { PATH: `${folder}:${process.env.PATH}`, HOME: '/nowhere', OPENAI_API_KEY: 'secret' };
  const { stdout } = spawnSync(script, { encoding: 'utf8', env });
  expect(stdout.trim().split('\n').sort()).toEqual(['HOME=/nowhere', 'LC_ALL=C.UTF-8']);
});

it('a tied program has a different name for each confinement, so that services do not overwrite it', () => {
  const names = [{}, { user: 64_001 }, { flags: ['--no-sandbox'] }].map((tied) =>
    scriptKey('/usr/bin/env', tied),
  );
  expect(new Set(names).size).toBe(3);
  expect(scriptKey('/usr/bin/env', {})).toBe(names[0]);
});
