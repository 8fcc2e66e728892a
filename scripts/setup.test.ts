import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const FILES = ['package-lock.json', 'scripts/setup.mjs', 'containers/media/apt-packages.txt'];

/** A fake npm that prints a line and creates the folder that setup checks. */
const NPM = `#!/bin/sh
echo "added 700 packages"
mkdir -p node_modules
`;
const KILLED_NPM = `#!/bin/sh
kill -KILL $$
`;

/**
 * Creates a fresh clone. Returns a function that runs setup with a fake npm, as if on `platform`, with the folder
 * `first` at the start of PATH.
 */
function freshClone(platform: string = process.platform, path = process.env.PATH) {
  const folder = mkdtempSync(join(tmpdir(), 'tools-setup-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const file of FILES) cpSync(file, join(folder, file), { recursive: true });
  mkdirSync(join(folder, 'bin'));
  const program = `Object.defineProperty(process, 'platform', { value: '${platform}' });
    const { setup } = await import('./scripts/setup.mjs');
    await setup(${platform === process.platform ? '[]' : "['worker', 'local']"});`;
  const setup = (npm: string, first = '') => {
    writeFileSync(join(folder, 'bin', 'npm'), npm, { mode: 0o755 });
    return spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: [first, join(folder, 'bin'), path].join(':') },
    });
  };
  return { folder, setup };
}

it('setup reports its installations on stderr, and reserves stdout for the requested output', () => {
  const { status, stdout, stderr } = freshClone().setup(NPM);
  expect(status).toBe(0);
  expect(stdout).toBe('');
  expect(stderr).toContain('Installing npm packages');
  expect(stderr).toContain('added 700 packages');
});

it('setup runs no program from the node_modules of a parent folder', () => {
  const { folder, setup } = freshClone();
  const parent = join(folder, 'node_modules', '.bin');
  mkdirSync(parent, { recursive: true });
  const planted = '#!/bin/sh\necho planted >&2\n';
  for (const name of ['npm', 'sh', 'dpkg-query', 'apt-get'])
    writeFileSync(join(parent, name), planted, { mode: 0o755 });
  const { status, stderr } = setup(NPM, parent);
  expect(status).toBe(0);
  expect(stderr).toContain('added 700 packages');
  expect(stderr).not.toContain('planted');
});

it('setup installs again after another installation was killed', () => {
  const { folder, setup } = freshClone();
  const lock = join(folder, 'package-lock.json');
  setup(NPM);
  expect(setup(NPM).stderr).not.toContain('Installing npm packages');
  appendFileSync(lock, '\n');
  expect(setup(KILLED_NPM).status).toBe(1);
  cpSync('package-lock.json', lock);
  expect(setup(NPM).stderr).toContain('Installing npm packages');
});

it('setup on macOS prints the Homebrew command of the operator page, and continues', () => {
  const tools = mkdtempSync(join(tmpdir(), 'tools-setup-path-'));
  onTestFinished(() => rmSync(tools, { recursive: true }));
  for (const name of ['sh', 'mkdir']) symlinkSync(`/bin/${name}`, join(tools, name));
  const { status, stderr } = freshClone('darwin', tools).setup(NPM);
  expect(status).toBe(0);
  const command = /brew install [\w -]+/.exec(readFileSync('docs/self-hosting.md', 'utf8'))![0];
  expect(stderr).toContain('(tools that need them return 503). Run: brew install');
  const formulas = (text: string) => /brew install ([\w -]+)/.exec(text)![1]!.split(' ').sort();
  expect(formulas(stderr)).toEqual(formulas(command));
});

it('setup on Windows suggests WSL or the image, and installs nothing', () => {
  const { status, stderr } = freshClone('win32').setup(NPM);
  expect(status).toBe(1);
  expect(stderr).toContain('Use WSL 2 with Debian, or the container image (docs/self-hosting.md).');
  expect(stderr).not.toContain('Installing');
});
