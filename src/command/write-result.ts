/** Writes the result of a call. A file goes to a path or to stdout, and JSON is written as text. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { ToolFile } from '../client/client.ts';
import type { OutputOptions } from './call-arguments.ts';
import { isDirectory, makeFolder } from './make-folder.ts';
import type { CommandTool } from './tools.ts';
import { UsageError } from './usage-error.ts';

interface Output extends Pick<OutputOptions, 'out' | 'json'> {
  /** The input that produced the result, if there are several inputs. */
  input?: string;
}

export async function writeResult(
  result: unknown,
  { mainText, isUpload }: Pick<CommandTool, 'mainText' | 'isUpload'>,
  { out, json, input }: Output,
): Promise<void> {
  const file = result instanceof ToolFile && !isUpload ? result : out && imageIn(result);
  if (file && out === '-') return toStdout(await file.stream());
  const path = file && (out || !json) ? targetPath(out, file.filename) : undefined;
  if (file && path) await written(path, file.save(path));
  if (json) {
    const facts = { ...(input && { input }), ...(path && { path }) };
    return print(JSON.stringify({ ...facts, ...asObject(result) }));
  }
  if (path) return print(path);
  const text = textOf(result, isUpload ? 'url' : mainText);
  if (!out || out === '-') return print(text);
  const textPath = targetPath(out, 'result.txt');
  await written(textPath, writeFile(textPath, `${text}\n`));
}

async function written(path: string, writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (thrown) {
    throw isSystemError(thrown) ? cannotWrite(path, thrown) : thrown;
  }
}

const REASONS: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EROFS: 'the disk is read-only',
  ENOENT: 'there is no such folder',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'a part of the path is not a folder',
};

export const cannotWrite = (path: string, { code, message }: NodeJS.ErrnoException): UsageError =>
  new UsageError(
    `Cannot write to ${path}: ${REASONS[code ?? ''] ?? message}. Choose another path with -o.`,
  );

const isSystemError = (thrown: unknown): thrown is NodeJS.ErrnoException =>
  thrown instanceof Error && 'syscall' in thrown;

const print = (text: string) => void process.stdout.write(`${text}\n`);

const asObject = (result: unknown) => result as Record<string, unknown>;

/** Returns the image that a JSON result contains as a link or a data URL. */
function imageIn(result: unknown): ToolFile | undefined {
  const { dataUrl, screenshotUrl, svg } = asObject(result);
  const address = dataUrl ?? screenshotUrl;
  if (typeof address !== 'string') return undefined;
  const filename = screenshotUrl ? address.split('/').at(-1)! : `code.${svg ? 'svg' : 'png'}`;
  return new ToolFile({ filename, contentType: '' }, async () => (await fetch(address)).body!);
}

function textOf(result: unknown, mainText: string | undefined): string {
  const text = mainText && asObject(result)[mainText];
  return typeof text === 'string' ? text : JSON.stringify(result, null, 2);
}

const taken = new Set<string>();

/**
 * Returns the path to write a result to. A result in a folder never replaces an existing file: `report.pdf` becomes
 * `report-2.pdf`.
 */
function targetPath(out: string | undefined, filename: string): string {
  const isFolder = out === undefined || /[\\/]$/.test(out) || isDirectory(out);
  folderFor(isFolder ? (out ?? '.') : dirname(out));
  if (!isFolder) return out;
  const { name, ext } = parse(filename);
  let path = join(out ?? '.', name + ext);
  for (let copy = 2; taken.has(path) || existsSync(path); copy += 1) {
    path = join(out ?? '.', `${name}-${copy}${ext}`);
  }
  taken.add(path);
  return path;
}

function folderFor(path: string): void {
  try {
    makeFolder(path);
  } catch (error) {
    throw cannotWrite(path, error as NodeJS.ErrnoException);
  }
}

const toStdout = (stream: ReadableStream<Uint8Array>) =>
  pipeline(Readable.fromWeb(stream as NodeStream), process.stdout, { end: false });
