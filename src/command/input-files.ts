/** The files that are given to the command: paths, patterns, links and stdin. */
import * as fs from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import type { FileSource } from '../client/client.ts';
import { UsageError } from './usage-error.ts';

/** Expands patterns, for shells that do not. */
export function expandPatterns(inputs: readonly string[]): string[] {
  return inputs.flatMap((input) => {
    if (!/[*?[{]/.test(input) || isLink(input) || fs.existsSync(input)) return [input];
    // Node 20 has no globSync.
    const found = fs.globSync?.(input).sort() ?? [];
    if (found.length === 0) throw new UsageError(`No file matches ${input}. Check the pattern.`);
    return found;
  });
}

/** Files and stdin are sent while they are read. */
export async function openInput(input: string, filename: string | undefined): Promise<FileSource> {
  if (isLink(input)) return input;
  if (input === '-') {
    return {
      filename: filename ?? 'stdin',
      data: Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
    };
  }
  if (!fs.statSync(input, { throwIfNoEntry: false })?.isFile()) {
    throw new UsageError(`There is no file ${input}. Check its path.`);
  }
  return { filename: basename(input), data: await fs.openAsBlob(input) };
}

const isLink = (input: string) => /^https?:\/\//i.test(input);
