/** Tests that a program that is killed or lacks memory does not make a valid file count as damaged. */
import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { WorkLimit } from '../work-limit.ts';
import { openPdfPages } from './ocr/pdf-pages.ts';
import { normalize } from './pdf/input.ts';
import { distilled, emptyFolder, folder, put } from './pdf/test-files.ts';
import { probe } from './video/probe.ts';

const KILLED = 'kill -KILL $$';
const BROKEN = 'exit 2';
const page = distilled('sound', 'showpage');

afterEach(() => vi.unstubAllEnvs());
afterAll(emptyFolder);

let count = 0;

/** Returns a copy of a valid PDF and its context. This shell script runs instead of the program. */
function withScript(program: string, script: string) {
  count += 1;
  const directory = join(folder, `call-${count}`);
  mkdirSync(join(directory, 'programs'), { recursive: true });
  const path = join(directory, 'input-0');
  copyFileSync(page, path);
  chmodSync(put(`call-${count}/programs/${program}`, `#!/bin/sh\n${script}`), 0o755);
  vi.stubEnv('PATH', `${join(directory, 'programs')}:${process.env.PATH}`);
  const context = { directory, signal: new AbortController().signal, limit: new WorkLimit(1) };
  return { file: { name: 'sound.pdf', path, size: 1 }, context };
}

const failure = (status: number, message: RegExp) => ({
  status,
  message: expect.stringMatching(message),
});

describe('a valid file', () => {
  it.each([
    [KILLED, failure(422, /"sound\.pdf" was killed \(SIGKILL\)\. Try again/)],
    ['echo std::bad_alloc >&2; exit 2', failure(422, /"sound\.pdf" exceeds the memory limit/)],
    [BROKEN, failure(400, /damaged beyond repair/)],
  ])(
    'that qpdf cannot rewrite, because of "%s", is reported with the cause',
    async (script, error) => {
      const { file, context } = withScript('qpdf', script);
      await expect(normalize(file, context)).rejects.toMatchObject(error);
    },
  );

  it.each([
    [KILLED, failure(422, /"sound\.pdf" was killed \(SIGKILL\)\. Try again/)],
    ['echo Out of memory >&2; exit 1', failure(422, /"sound\.pdf" exceeds the memory limit/)],
    [BROKEN, failure(400, /damaged or truncated/)],
  ])(
    'that poppler cannot render, because of "%s", is reported with the cause',
    async (script, error) => {
      const { file, context } = withScript('pdftoppm', script);
      const { prepare } = await openPdfPages(file, context);
      await expect(prepare(0, context)).rejects.toMatchObject(error);
    },
  );

  it('whose ffprobe is killed does not count as something other than a video', async () => {
    const { file, context } = withScript('ffprobe', KILLED);
    await expect(probe(file, context)).rejects.toMatchObject(failure(422, /was killed/));
    const damaged = withScript('ffprobe', 'echo Cannot allocate memory >&2; exit 1');
    expect(await probe(damaged.file, damaged.context)).toBeNull();
  });
});
