/**
 * Tests how errors are explained on a full disk. The disk is mounted in a separate user and mount namespace.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { emptyTestFolder, makeTestFolder } from '../../test/support/test-folder.ts';
import { canMountAsOwnRoot } from '../../test/support/this-machine.ts';

const folder = makeTestFolder('work-directory-tests');
afterAll(() => emptyTestFolder(folder));

const SCRIPT = `
  const { WorkDirectory } = await import('${join(import.meta.dirname, 'work-directory.ts')}');
  const { badRequest, tooLarge } = await import('${join(import.meta.dirname, '../../src/core/errors.ts')}');
  const { writeFileSync } = await import('node:fs');
  const directory = new WorkDirectory('${folder}');
  const thrown = [badRequest('It is damaged.'), new TypeError('ours'), tooLarge('It is too large.')];
  const statuses = async () =>
    (await Promise.all(thrown.map((error) => directory.explain(error)))).map(({ status }) => status);
  const before = await statuses();
  try {
    writeFileSync('${folder}/ballast', new Uint8Array(2 ** 20));
  } catch {}
  console.log(JSON.stringify([before, await statuses()]));
`;

it.runIf(canMountAsOwnRoot)(
  'a file that seems damaged is blamed on the disk if the disk is full',
  () => {
    const command = `mount -t tmpfs -o size=256k tmpfs "${folder}" && exec "$0" --input-type=module -e "$1"`;
    const shell = ['sh', '-c', command, process.execPath, SCRIPT];
    const [before, full] = JSON.parse(
      execFileSync('unshare', ['-rm', ...shell], { encoding: 'utf8' }),
    );
    expect(before).toEqual([400, null, 413]);
    expect(full).toEqual([503, 503, 413]);
  },
);
