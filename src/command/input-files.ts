/** Opens the input files of a command: paths, patterns, links and stdin. */
import * as fs from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import type { FileSource } from '../client/client.ts';
import { UsageError } from './usage-error.ts';

/** Expands patterns, because some shells do not. */
export function expandPatterns(inputs: readonly string[]): string[] {
  return inputs.flatMap((input) => {
    if (!/[*?[{]/.test(input) || isLink(input) || fs.existsSync(input)) return [input];
    // Node 20 has no globSync.
    const found = fs.globSync?.(input).sort() ?? [];
    if (found.length === 0) throw new UsageError(`No file matches ${input}. Check the pattern.`);
    return found;
  });
}

/** The default name of the file that is read from stdin. */
export const STDIN_NAME = 'stdin';

/** Returns the source of a call's file. Files and stdin are streamed: they are read while the request is being sent. */
export async function openInput(input: string, filename: string | undefined): Promise<FileSource> {
  if (isLink(input)) return input;
  if (input === '-') {
    return {
      filename: filename ?? STDIN_NAME,
      data: Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
    };
  }
  return { filename: basename(input), data: await openFile(input) };
}

export async function openFile(path: string): Promise<Blob> {
  const found = fs.statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) {
    throw new UsageError(`${path} is a folder. Pass its files, such as ${join(path, '*')}`);
  }
  if (!found?.isFile()) throw new UsageError(`There is no file ${path}. Check the path.`);
  try {
    fs.accessSync(path, fs.constants.R_OK);
  } catch {
    throw new UsageError(`The file ${path} cannot be read. Check its permissions.`);
  }
  return fs.openAsBlob(path);
}

const isLink = (input: string) => /^https?:\/\//i.test(input);
