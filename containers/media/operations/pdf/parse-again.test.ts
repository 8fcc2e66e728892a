/** parse_document where the first of two programs fails at once, and the other writes later on. */
import { chmodSync, copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { findProgram } from '../../programs.ts';
import { parseDocument } from './parse.ts';
import { distilled, folder, put, removeFolder } from './test-files.ts';

afterAll(() => {
  vi.unstubAllEnvs();
  removeFolder();
});

it('a program of the first attempt that still writes does not reach the text of the second', async () => {
  const directory = join(folder, 'request');
  const path = join(directory, 'input-0');
  mkdirSync(directory);
  copyFileSync(distilled('right', '72 700 moveto (Right words) show showpage'), path);
  // Of the file as it stands, the drawn order fails and the other comes late; of its pages anew, all is right but slow.
  const script = `#!/bin/sh
for out; do :; done
case "$*" in
*pages-anew*) ${findProgram('pdftotext')} "$@" && sleep 1 ;;
*-raw*) exit 1 ;;
*) sleep 0.5; printf 'Wrong words\\f' > "$out" ;;
esac
`;
  mkdirSync(join(folder, 'programs'));
  chmodSync(put('programs/pdftotext', script), 0o755);
  vi.stubEnv('PATH', `${join(folder, 'programs')}:${process.env.PATH}`);
  const { signal } = new AbortController();
  const file = { name: 'right.pdf', path, size: 1 };
  await parseDocument({}, [file], { directory, signal });
  const written = readFileSync(join(directory, 'parsed.json'), 'utf8');
  expect(JSON.parse(written).text).toBe('Right words');
});
