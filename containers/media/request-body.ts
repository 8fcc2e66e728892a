/** Reads the body of an operation: a manifest, then all files one after the other, straight to disk. */
import { type FileHandle, open } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { badRequest, tooLarge } from '../../src/core/errors.ts';
import type { OperationFile } from './operations/operation.ts';

const MAXIMUM_MANIFEST_BYTES = 8 * 1024 * 1024;
const MAXIMUM_FILES = 1000;
/** Each write waits for another thread. */
const WRITE_BYTES = 1024 * 1024;
/** The edge lets 64 MiB through; operations of later issues bring larger files out of storage. */
const MAXIMUM_TOTAL_BYTES = 1024 ** 3;

export interface OperationRequest {
  params: Record<string, unknown>;
  files: OperationFile[];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parseManifest(bytes: Buffer, directory: string): OperationRequest {
  let manifest: unknown;
  try {
    manifest = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw badRequest('The manifest is not JSON.');
  }
  if (!isRecord(manifest) || !isRecord(manifest.params) || !Array.isArray(manifest.files)) {
    throw badRequest('The manifest must be {"params": object, "files": array}.');
  }
  if (manifest.files.length > MAXIMUM_FILES) throw tooLarge(`At most ${MAXIMUM_FILES} files.`);
  let total = 0;
  const files = manifest.files.map((entry: unknown, index): OperationFile => {
    const { name, size } = isRecord(entry) ? entry : {};
    if (typeof name !== 'string' || !Number.isSafeInteger(size) || Number(size) < 0) {
      throw badRequest('Every file of the manifest needs a name and a size in bytes.');
    }
    total += Number(size);
    return {
      name,
      size: Number(size),
      path: join(directory, `input-${index}`),
    };
  });
  if (total > MAXIMUM_TOTAL_BYTES) throw tooLarge('The files are too large together.');
  return { params: manifest.params, files };
}

/** The bytes of a request, handed out in the lengths asked for. */
class BodyReader {
  private readonly pieces: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(request: IncomingMessage) {
    this.pieces = request[Symbol.asyncIterator]();
  }

  /** Between 1 and `most` bytes; undefined at the end. */
  async some(most: number): Promise<Buffer | undefined> {
    while (this.rest.length === 0) {
      const next = await this.pieces.next();
      if (next.done) return undefined;
      this.rest = next.value;
    }
    const piece = this.rest.subarray(0, most);
    this.rest = this.rest.subarray(piece.length);
    return piece;
  }
}

const cutOff = () => badRequest('The body is shorter than its manifest says.');

async function writeAll(handle: FileHandle, pieces: readonly Buffer[]): Promise<void> {
  const bytes = Buffer.concat(pieces);
  for (let at = 0; at < bytes.length; ) {
    at += (await handle.write(bytes, at, bytes.length - at)).bytesWritten;
  }
}

/** The next bytes, in as many pieces as they came, not many more than are written at a time. */
async function nextPieces(body: BodyReader, most: number): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for (let size = 0; size < Math.min(most, WRITE_BYTES); size += pieces.at(-1)!.length) {
    const piece = await body.some(most - size);
    if (!piece) throw cutOff();
    pieces.push(piece);
  }
  return pieces;
}

async function spool(body: BodyReader, file: OperationFile): Promise<void> {
  const handle = await open(file.path, 'wx', 0o600);
  try {
    for (let left = file.size; left > 0; ) {
      const pieces = await nextPieces(body, left);
      await writeAll(handle, pieces);
      for (const { length } of pieces) left -= length;
    }
  } finally {
    await handle.close();
  }
}

/** Reads the whole body; the files are then in `directory`. Throws ToolError 400 or 413. */
export async function readOperationRequest(
  request: IncomingMessage,
  directory: string,
): Promise<OperationRequest> {
  const manifestLength = Number(request.headers['x-manifest-length']);
  if (!Number.isSafeInteger(manifestLength) || manifestLength < 2) {
    throw badRequest('X-Manifest-Length must be the length of the manifest in bytes.');
  }
  if (manifestLength > MAXIMUM_MANIFEST_BYTES) throw tooLarge('The manifest is too long.');
  const body = new BodyReader(request);
  const pieces: Buffer[] = [];
  for (let left = manifestLength; left > 0; ) {
    const piece = await body.some(left);
    if (!piece) throw cutOff();
    pieces.push(piece);
    left -= piece.length;
  }
  const described = parseManifest(Buffer.concat(pieces), directory);
  for (const file of described.files) await spool(body, file);
  if (await body.some(1)) throw badRequest('The body is longer than its manifest says.');
  return described;
}
