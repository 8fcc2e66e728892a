import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const FILES = ['package-lock.json', 'scripts/setup.mjs', 'containers/media/apt-packages.txt'];

/** A fake npm: it prints its arguments, and creates what setup checks. */
const NPM = `#!/bin/sh
echo "added 700 packages"
mkdir -p node_modules
`;
const KILLED_NPM = `#!/bin/sh
kill -KILL $$
`;

/** A fresh clone. Its function runs setup with this npm. */
function freshClone() {
  const folder = mkdtempSync(join(tmpdir(), 'tools-setup-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const file of FILES) cpSync(file, join(folder, file), { recursive: true });
  mkdirSync(join(folder, 'bin'));
  const program = "const { setup } = await import('./scripts/setup.mjs'); await setup([]);";
  const setup = (npm: string) => {
    writeFileSync(join(folder, 'bin', 'npm'), npm, { mode: 0o755 });
    return spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` },
    });
  };
  return { folder, setup };
}

it('setup says what it installs on stderr, and leaves stdout to what was asked for', () => {
  const { status, stdout, stderr } = freshClone().setup(NPM);
  expect(status).toBe(0);
  expect(stdout).toBe('');
  expect(stderr).toContain('Installing npm packages');
  expect(stderr).toContain('added 700 packages');
});

it('setup installs again after an installation of other packages that was killed', () => {
  const { folder, setup } = freshClone();
  const lock = join(folder, 'package-lock.json');
  setup(NPM);
  expect(setup(NPM).stderr).not.toContain('Installing npm packages');
  appendFileSync(lock, '\n');
  expect(setup(KILLED_NPM).status).toBe(1);
  cpSync('package-lock.json', lock);
  expect(setup(NPM).stderr).toContain('Installing npm packages');
});
