/** Runs an operation in its own directory for tests, as the server does. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorkLimit } from '../work-limit.ts';
import type { OperationContext, OperationFile } from './operation.ts';
import { OPERATIONS } from './registry.ts';

export interface Ran {
  contentType: string;
  bytes: Buffer;
  meta: Record<string, unknown>;
  progress: number[];
  messages: (string | undefined)[];
  /** The names of the files that the operation left in its directory. */
  left: string[];
}

export const run = (program: string, ...programArguments: string[]): string =>
  execFileSync(program, programArguments, {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** Runs an operation and reads its result. Throws the operation's errors. */
export async function resultOf(
  name: string,
  params: Record<string, unknown>,
  files: OperationFile[],
  context: Omit<OperationContext, 'limit'>,
): Promise<Pick<Ran, 'bytes' | 'contentType' | 'meta'>> {
  const operation = OPERATIONS.get(name);
  if (!operation) throw new Error(`there is no operation ${name}`);
  const limit = WorkLimit.forFiles(files);
  const result = await operation.run(params, files, { ...context, limit });
  const pieces: Uint8Array[] = [];
  for await (const piece of result.open()) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  if (bytes.length !== result.size)
    throw new Error('the announced size differs from the real size');
  return { bytes, contentType: result.contentType, meta: result.meta };
}

/** Throws the operation's errors. */
export async function runOperation(
  name: string,
  params: Record<string, unknown>,
  given: { name: string; bytes: Uint8Array } | { name: string; bytes: Uint8Array }[],
  signal = new AbortController().signal,
): Promise<Ran> {
  const directory = mkdtempSync(join(tmpdir(), 'operation-tests-'));
  const files = [given].flat().map((file, index) => {
    const path = join(directory, `input-${index}`);
    writeFileSync(path, file.bytes);
    return { name: file.name, size: file.bytes.byteLength, path };
  });
  const progress: number[] = [];
  const messages: (string | undefined)[] = [];
  try {
    const result = await resultOf(name, params, files, {
      directory,
      signal,
      progress: (fraction, message) => {
        progress.push(fraction);
        messages.push(message);
      },
    });
    return { ...result, progress, messages, left: readdirSync(directory) };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Returns the IDs of the running processes whose command line names a file of these tests' operations. */
export const programsLeft = (): string[] =>
  readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((entry) => {
      try {
        return readFileSync(`/proc/${entry}/cmdline`, 'latin1').includes('/operation-tests-');
      } catch {
        return false;
      }
    });
