import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ownState } from './state-owner.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tools-owner-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it('a second owner gets the process id and the address of the first until it releases the folder', () => {
  const folder = newFolder();
  const first = ownState(folder);
  expect(() => ownState(folder)).toThrow(`process ${process.pid}`);
  first.listensAt('http://localhost:8787');
  expect(() => ownState(folder)).toThrow(
    `STATE_DIR ${folder} is in use by another service (at http://localhost:8787, process ${process.pid}).`,
  );
  first.release();
  ownState(folder).release();
});

it('ownState takes over the folder of a killed process, even if its process id is in use again', async () => {
  const folder = newFolder();
  const program = `import { ownState } from ${JSON.stringify(join(import.meta.dirname, 'state-owner.ts'))};
    ownState(${JSON.stringify(folder)});
    // The reference is needed, because garbage collection of the database would release the lock.
    setTimeout(() => { gc(); setTimeout(() => console.log('owned')); });
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', program]);
  await once(child.stdout, 'data');
  expect(() => ownState(folder)).toThrow(`process ${child.pid}`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  writeFileSync(join(folder, 'owner.json'), JSON.stringify({ pid: process.ppid }));
  ownState(folder).release();
});

it('ownState reports a damaged lock file instead of another owner', () => {
  const folder = newFolder();
  writeFileSync(
    join(folder, 'owner.lock'),
    'this is no database, and it is long enough to be read as one',
  );
  expect(() => ownState(folder)).toThrow(/not a database/);
});

it('ownState names an unwritable folder and what to do', () => {
  const file = join(newFolder(), 'file');
  writeFileSync(file, '');
  for (const unwritable of ['/proc', '/proc/none/state', join(file, 'none')])
    expect(() => ownState(unwritable)).toThrow(
      /^STATE_DIR .+ cannot be used \(.+\)\. Make it writable for this user, or set a different STATE_DIR\.$/,
    );
});
