import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const FILES = ['package-lock.json', 'scripts/setup.mjs', 'containers/media/apt-packages.txt'];

/** A fake npm for a fresh clone: it prints its arguments, and creates what setup checks. */
const NPM = `#!/bin/sh
echo "added 700 packages"
mkdir -p node_modules
`;

it('setup says what it installs on stderr, and leaves stdout to what was asked for', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tools-setup-'));
  for (const file of FILES) cpSync(file, join(folder, file), { recursive: true });
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin', 'npm'), NPM, { mode: 0o755 });
  const program = "const { setup } = await import('./scripts/setup.mjs'); await setup([]);";
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', program],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` },
    },
  );
  rmSync(folder, { recursive: true });
  expect(status).toBe(0);
  expect(stdout).toBe('');
  expect(stderr).toContain('Installing npm packages');
  expect(stderr).toContain('added 700 packages');
});
