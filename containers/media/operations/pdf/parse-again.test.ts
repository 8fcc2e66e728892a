/** Tests parse_document when pdftotext fails. */
import { chmodSync, copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { findProgram } from '../../programs.ts';
import { WorkLimit } from '../../work-limit.ts';
import { parseDocument } from './parse.ts';
import { distilled, emptyFolder, folder, put } from './test-files.ts';

afterEach(() => vi.unstubAllEnvs());
afterAll(emptyFolder);

/** Parses a valid page with this shell script in place of pdftotext. */
async function parseWith(name: string, text: string, script: string): Promise<string> {
  const directory = join(folder, name);
  const path = join(directory, 'input-0');
  const programs = join(directory, 'programs');
  mkdirSync(programs, { recursive: true });
  copyFileSync(distilled(name, `72 700 moveto (${text}) show showpage`), path);
  chmodSync(put(`${name}/programs/pdftotext`, `#!/bin/sh\n${script}`), 0o755);
  vi.stubEnv('PATH', `${programs}:${process.env.PATH}`);
  const { signal } = new AbortController();
  const context = { directory, signal, limit: new WorkLimit(1) };
  await parseDocument({}, [{ name: `${name}.pdf`, path, size: 1 }], context);
  return JSON.parse(readFileSync(join(directory, 'parsed.json'), 'utf8')).text;
}

it('a program of the first attempt that is still running cannot change the text of the second', async () => {
  // For the original file, drawing order fails and layout order is slow. For the rewritten file, both succeed slowly.
  const script = `
for out; do :; done
case "$*" in
*pages-anew*) ${findProgram('pdftotext')} "$@" && sleep 1 ;;
*-raw*) exit 1 ;;
*) sleep 0.5; printf 'Wrong words\\f' > "$out" ;;
esac
`;
  expect(await parseWith('late', 'Right words', script)).toBe('Right words');
});

it('a valid file that runs out of memory is not reported as damaged or read again', async () => {
  const script = 'echo "$@" >> runs; echo "Out of memory" >&2; exit 1';
  await expect(parseWith('large', 'Sound words', script)).rejects.toMatchObject({
    status: 422,
    message: expect.stringMatching(/"large.pdf" exceeds the memory limit/),
  });
  expect(readFileSync(join(folder, 'large/runs'), 'utf8')).not.toContain('pages-anew');
});
