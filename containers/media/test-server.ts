/** Runs the media worker as a separate process, for tests of its protocol and its shutdown. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyTestFolder, makeTestFolder } from '../../test/support/test-folder.ts';

export const folder = makeTestFolder('media-tests');
// The media worker drops root privileges, but must still read its programs and files in this folder.
chmodSync(folder, 0o755);
export const emptyFolder = () => emptyTestFolder(folder);

function makePdf(): Buffer {
  const source = join(folder, 'page.ps');
  writeFileSync(source, '%!PS\nshowpage showpage');
  return execFileSync('gs', ['-q', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite', '-o-', source]);
}

/** A PDF of two blank pages. */
export const pdf = makePdf();

/** Identifies the `sleep` processes of these tests, so that concurrent tests are not affected. */
export const SECONDS = 100_000 + process.pid;

/** The file that the fake qpdf of `slowPath` creates when it starts. */
export const slowStarted = join(folder, 'slow-started');

/** Returns a PATH with a fake qpdf that never exits and has a child process. Tests kill it. */
export const slowPath = () => pathWithQpdf('slow', `sleep ${SECONDS} & : > ${slowStarted}; wait`);

/** Returns a PATH with a fake qpdf that uses the CPU for a few tenths of a second and then fails. */
export const busyPath = () =>
  pathWithQpdf('busy', 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; exit 2');

function pathWithQpdf(name: string, script: string): string {
  const directory = join(folder, name);
  mkdirSync(directory, { recursive: true });
  const path = join(directory, 'qpdf');
  writeFileSync(path, `#!/bin/sh\n[ "$1" = --version ] && exit\n${script}\n`);
  chmodSync(path, 0o755);
  return `${directory}:${process.env.PATH}`;
}

/** @param through a command-line prefix that runs the server's command line */
export async function start(
  environment: Record<string, string>,
  uid?: number,
  input = '',
  through: string[] = [],
): Promise<[ChildProcess, string]> {
  const server = [process.execPath, join(import.meta.dirname, 'server.ts')];
  const [program = '', ...words] = [...through, ...server];
  const child = spawn(program, words, {
    env: { ...process.env, MEDIA_SECRET: 'secret', MEDIA_EXIT_WITH_STDIN: '1', ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
    uid,
  });
  child.stdin.write(input);
  const line = await new Promise<string>((resolve) =>
    child.stdout.once('data', (data: Buffer) => resolve(data.toString().split('\n')[0] ?? '')),
  );
  return [child, `http://127.0.0.1:${JSON.parse(line).port}`];
}

export function body(
  params: unknown,
  files: Buffer[],
): { bytes: Buffer<ArrayBuffer>; manifest: number } {
  const listed = files.map((file, index) => ({ name: `${index}.pdf`, size: file.length }));
  const manifest = Buffer.from(JSON.stringify({ params, files: listed }));
  return { bytes: Buffer.concat([manifest, ...files]), manifest: manifest.length };
}

export function post(
  to: string,
  operation: string,
  params: unknown,
  files: Buffer[],
  headers = {},
  signal?: AbortSignal,
) {
  const { bytes, manifest } = body(params, files);
  return fetch(`${to}/operations/${operation}`, {
    method: 'POST',
    headers: { 'X-Media-Secret': 'secret', 'X-Manifest-Length': String(manifest), ...headers },
    body: bytes,
    signal,
  });
}

/** Returns the IDs of the `sleep` processes that the fake qpdf of `slowPath` started. */
export const sleepers = () => {
  try {
    return execFileSync('pgrep', ['-f', `^sleep ${SECONDS}$`], { encoding: 'utf8' })
      .trim()
      .split('\n');
  } catch {
    return [];
  }
};

export const requestsLeft = (root: string) =>
  readdirSync(root).flatMap((entry) => readdirSync(join(root, entry)));
