/** Reads the body of an operation request directly to disk. The body is a manifest followed by all files. */
import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { badRequest, tooLarge } from '../../src/core/errors.ts';
import { MEDIA_HEADERS } from '../../src/core/media-headers.ts';
import type { OperationFile } from './operations/operation.ts';

const MAX_MANIFEST_BYTES = 8 * 1024 * 1024;
const MAX_FILES = 1000;
const WAITING_BYTES = 1024 * 1024;
/** The edge limits uploads to 64 MiB, but several stored files may be larger in total. */
const MAX_TOTAL_BYTES = 1024 ** 3;

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
  if (manifest.files.length > MAX_FILES) throw tooLarge(`The limit is ${MAX_FILES} files.`);
  let total = 0;
  const files = manifest.files.map((entry: unknown, index): OperationFile => {
    const { name, size } = isRecord(entry) ? entry : {};
    if (typeof name !== 'string' || !Number.isSafeInteger(size) || Number(size) < 0) {
      throw badRequest('Every file in the manifest needs a name and a size in bytes.');
    }
    total += Number(size);
    return {
      name,
      size: Number(size),
      path: join(directory, `input-${index}`),
    };
  });
  if (total > MAX_TOTAL_BYTES) throw tooLarge('The files exceed 1 GiB in total.');
  return { params: manifest.params, files };
}

/** Reads a request body in chunks of a requested size. */
class BodyReader {
  private readonly pieces: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(request: IncomingMessage) {
    this.pieces = request[Symbol.asyncIterator]();
  }

  /** Returns between 1 and `most` bytes, or undefined at the end of the body. */
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

const cutOff = () => badRequest('The body is shorter than its manifest declares.');

/** Returns the next `size` bytes in chunks as they arrive. */
async function* bytesOf(body: BodyReader, size: number): AsyncGenerator<Buffer> {
  for (let left = size; left > 0; ) {
    const piece = await body.some(left);
    if (!piece) throw cutOff();
    left -= piece.length;
    yield piece;
  }
}

/**
 * Writes a file to disk. Chunks that arrive during a write are combined, because each write has to wait for another
 * thread.
 */
const spool = (body: BodyReader, { path, size }: OperationFile): Promise<void> =>
  pipeline(
    bytesOf(body, size),
    createWriteStream(path, { flags: 'wx', mode: 0o600, highWaterMark: WAITING_BYTES }),
  );

/** Reads the whole body, and writes the files to `directory`. Throws ToolError 400 or 413. */
export async function readOperationRequest(
  request: IncomingMessage,
  directory: string,
): Promise<OperationRequest> {
  const manifestLength = Number(request.headers[MEDIA_HEADERS.manifestLength]);
  if (!Number.isSafeInteger(manifestLength) || manifestLength < 2) {
    throw badRequest('X-Manifest-Length must be the length of the manifest in bytes.');
  }
  if (manifestLength > MAX_MANIFEST_BYTES) throw tooLarge('The manifest is too long.');
  const body = new BodyReader(request);
  const manifest = await Array.fromAsync(bytesOf(body, manifestLength));
  const described = parseManifest(Buffer.concat(manifest), directory);
  for (const file of described.files) await spool(body, file);
  if (await body.some(1)) throw badRequest('The body is longer than its manifest declares.');
  return described;
}
