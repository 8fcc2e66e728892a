/**
 * Streams multipart/form-data (RFC 7578). The files of a small request stay in memory, as do those of a larger request
 * that fits into the shared memory (`SHARED_BYTES`). All other files are written to storage as they arrive, so that
 * uploads of 50 MB fit into an isolate of 128 MB. Parts may come in any order.
 */
import { partName, type Tool } from '../core/define-tool.ts';
import { badRequest, tooLarge } from '../core/errors.ts';
import { HEAD_BYTES, type InputFile } from '../core/input-file.ts';
import { type LargeCall, SMALL_JSON_BYTES } from '../core/large-call.ts';
import { MAX_BODY_BYTES, MAX_FILE_BYTES, MAX_JSON_BYTES, MB } from '../core/limits.ts';
import type { SpooledFile, SpoolPort } from '../core/ports.ts';
import { browserOnly } from '../execute/execute.ts';
import { checkSize } from '../execute/input-files.ts';
import { bodyTooLarge, parseObject } from '../lib/body.ts';
import { safeFilename } from '../lib/filename.ts';
import { PackedBytes } from '../lib/packed-bytes.ts';
import { toolNamed } from '../tools/find-tool.ts';
import { FormParameters } from './form-parameters.ts';
import { IncomingFile } from './incoming-file.ts';
import { boundaryOf, type MultipartEvent, MultipartParser } from './multipart-parser.ts';
import { MultipartError, type PartHeader } from './part-header.ts';
import type { RestCall } from './rest-call.ts';

export const MULTIPART = 'multipart/form-data';

/** The maximum size of a small request, in bytes. Its files stay in memory. */
const MEMORY_BYTES = 8 * MB;
/**
 * The memory in bytes that larger requests share. Writing a file to storage and reading it back would take as long as
 * many tools run.
 */
const SHARED_BYTES = 40 * MB;
/** The shared memory in use, in bytes. */
let sharedBytes = 0;
const READ_BYTES = 64 * 1024;
const MAX_PARTS = 200;

/**
 * Reads a whole multipart request. If it throws, no file remains in storage.
 * @param tool the tool, if the path names it. Each text part is then one of its parameters.
 */
export async function readMultipart(
  request: Request,
  spooling: SpoolPort,
  large: LargeCall,
  tool?: Tool,
): Promise<RestCall> {
  const form = new FormReader(spooling, large, tool);
  try {
    await form.readAll(request);
    return await form.call();
  } catch (error) {
    await form.release();
    throw error;
  }
}

class FormReader {
  readonly #spooling: SpoolPort;
  readonly #large: LargeCall;
  readonly #files: InputFile[] = [];
  readonly #spooled: SpooledFile[] = [];
  readonly #warnings: string[] = [];
  #tool: Tool | undefined;
  /** The parameters in separate parts. They are read only if the path names the tool. */
  readonly #texts: FormParameters | undefined;
  #parameters: Record<string, unknown> | undefined;
  /** The JSON of large parameters. It is parsed after the last part, because files may arrive slowly. */
  #largeParameters: string | undefined;
  #webhook: string | undefined;
  #parts = 0;
  #field: { part: PartHeader; content: PackedBytes } | undefined;
  #file: IncomingFile | undefined;
  /** The header of the part that `#file` reads. */
  #filePart: PartHeader | undefined;
  #fieldBytes = 0;
  #mostFieldBytes = MAX_JSON_BYTES;
  #inMemory = 0;
  /** The maximum number of file bytes in memory. `#share` is the number of bytes taken from the shared memory. */
  #memory = MEMORY_BYTES;
  #share = 0;
  /** An upper bound on the remaining bytes of the body. It is undefined for a chunked body. */
  #remainingBytes: number | undefined;

  constructor(spooling: SpoolPort, large: LargeCall, tool: Tool | undefined) {
    this.#spooling = spooling;
    this.#large = large;
    this.#tool = tool;
    this.#texts = tool && new FormParameters(tool);
  }

  async readAll(request: Request): Promise<void> {
    const length = request.headers.get('Content-Length');
    if (length !== null) {
      this.#remainingBytes = Number(length);
      this.#mostFieldBytes = Math.min(MAX_JSON_BYTES, Number(length));
    }
    this.#takeMemory(length === null ? Number.POSITIVE_INFINITY : Number(length));
    const boundary = boundaryOf(request.headers.get('Content-Type') ?? '');
    if (!boundary) {
      throw badRequest(
        'Content-Type has no valid boundary for the multipart body. Let your HTTP client set Content-Type.',
      );
    }
    const parser = new MultipartParser(boundary);
    const reader = request.body?.getReader({ mode: 'byob' });
    let buffer = new ArrayBuffer(READ_BYTES);
    let size = 0;
    try {
      while (reader) {
        const { value: chunk, done } = await reader.read(new Uint8Array(buffer));
        if (done || !chunk) break;
        size += chunk.byteLength;
        if (size > MAX_BODY_BYTES) throw bodyTooLarge(MAX_BODY_BYTES);
        for (const event of parser.write(chunk)) await this.#take(event);
        // Everything that is still needed has been copied, so the buffer can be reused.
        buffer = chunk.buffer;
      }
      parser.end();
    } catch (error) {
      if (error instanceof MultipartError) {
        throw badRequest(`The multipart body ${error.message}.`);
      }
      throw error;
    }
  }

  async call(): Promise<RestCall> {
    if (this.#largeParameters !== undefined) {
      await this.#large.begin(this.#largeParameters.length);
      this.#parameters = parseParametersPart(this.#largeParameters);
    }
    return {
      tool: this.#tool ?? toolNamed(undefined),
      parameters: { ...this.#parameters, ...this.#texts?.values },
      files: this.#files,
      warnings: this.#warnings,
      webhook: this.#webhook,
      release: () => this.release(),
    };
  }

  /**
   * Reserves shared memory for a large body. If not enough is left, only files of up to `HEAD_BYTES` stay in memory.
   */
  #takeMemory(length: number): void {
    if (length <= MEMORY_BYTES) return;
    const fits = length <= SHARED_BYTES - sharedBytes;
    this.#memory = fits ? length : 0;
    this.#share = this.#memory;
    sharedBytes += this.#share;
  }

  /** Releases the shared memory and the files in storage. Must be called when the request has ended. */
  async release(): Promise<void> {
    sharedBytes -= this.#share;
    this.#share = 0;
    await this.#file?.abort();
    await Promise.all(this.#spooled.map((file) => this.#spooling.discard(file)));
  }

  async #take(event: MultipartEvent): Promise<void> {
    switch (event.kind) {
      case 'part':
        return this.#begin(event.part);
      case 'bytes':
        return this.#file ? this.#fileBytes(this.#file, event.bytes) : this.#text(event.bytes);
      case 'end':
        return this.#file ? this.#endFile(this.#file) : this.#endField();
    }
  }

  #begin(part: PartHeader): void {
    this.#parts += 1;
    if (this.#parts > MAX_PARTS) {
      throw badRequest(`The multipart body has more than ${MAX_PARTS} parts. Send fewer.`);
    }
    const shown = shorten(part.name);
    // Many scripts send the parameters as a Blob, which arrives as a file part.
    const isField = part.name === 'tool' || part.name === 'parameters';
    if (isField || (part.filename === undefined && !isFilePart(part.name))) {
      this.#field = { part, content: new PackedBytes() };
      return;
    }
    if (!isFilePart(part.name)) {
      throw badRequest(
        `The part "${shown}" contains a file. Name the part "file", or "files" for several.`,
        shown,
      );
    }
    if (part.filename === undefined && !part.contentType) {
      throw badRequest(
        `The part "${shown}" contains text, not a file. With curl, put an @ before the path: -F ${shown}=@book.pdf`,
        shown,
      );
    }
    if (this.#tool) this.#checkNext(this.#tool, part);
    this.#filePart = part;
    this.#file = new IncomingFile({
      name: safeFilename(part.filename),
      declaredType:
        part.contentType === 'application/octet-stream' ? undefined : part.contentType || undefined,
      memoryBytes: Math.max(HEAD_BYTES, this.#memory - this.#inMemory),
      remainingBytes: () => this.#remainingBytes,
      spooling: this.#spooling,
    });
  }

  /** Throws if the tool accepts no more files. In that case, the bytes of the file are not read. */
  #checkNext(tool: Tool, part: PartHeader): void {
    if (!tool.run) throw browserOnly(tool);
    if (!tool.files) throw badRequest(`${tool.name} takes no files. Remove the file.`, part.name);
    const { max } = tool.files;
    if (this.#files.length < max) return;
    throw badRequest(
      `${tool.name} takes ${max === 1 ? 'one file' : `at most ${max} files`}, but got more.`,
      partName(tool.files),
    );
  }

  async #text(bytes: Uint8Array): Promise<void> {
    const field = this.#field!;
    this.#fieldBytes += bytes.byteLength;
    if (this.#fieldBytes > MAX_JSON_BYTES) throw bodyTooLarge(MAX_JSON_BYTES);
    if (this.#fieldBytes > SMALL_JSON_BYTES) await this.#large.reserve(this.#mostFieldBytes);
    field.content.append(bytes);
  }

  #endField(): void {
    const { part, content } = this.#field!;
    this.#field = undefined;
    if (part.name === 'webhook') {
      this.#webhook = decode(content.join(), part).trim();
    } else if (part.name === 'tool' && !this.#texts) {
      if (this.#tool) throw badRequest('The part "tool" was sent twice. Send it once.', 'tool');
      this.#tool = toolNamed(decode(content.join(), part).trim());
    } else if (part.name === 'parameters') {
      if (this.#parameters || this.#largeParameters !== undefined) {
        throw badRequest('The part "parameters" was sent twice. Send it once.', 'parameters');
      }
      const text = decode(content.join(), part);
      if (text.length > SMALL_JSON_BYTES) this.#largeParameters = text;
      else this.#parameters = parseParametersPart(text);
    } else if (this.#texts) {
      this.#texts.add(part.name, decode(content.join(), part));
    } else {
      this.#warnings.push(
        `The part "${shorten(part.name)}" was ignored: send parameters as one JSON object in the part "parameters".`,
      );
    }
  }

  async #fileBytes(file: IncomingFile, bytes: Uint8Array): Promise<void> {
    const size = file.size + bytes.byteLength;
    if (this.#tool) checkSize(this.#tool, file.arriving.name, size);
    else if (size > MAX_FILE_BYTES) {
      throw tooLarge(
        `The file ${file.arriving.name} is larger than the ${MAX_FILE_BYTES / MB} MB limit of every tool.`,
        this.#filePart!.name,
      );
    }
    await file.write(bytes);
    if (this.#remainingBytes !== undefined) this.#remainingBytes -= bytes.byteLength;
  }

  async #endFile(incoming: IncomingFile): Promise<void> {
    const file = await incoming.finish();
    this.#file = undefined;
    // The user left the form's file field empty.
    if (this.#filePart?.filename === '' && file.size === 0) return;
    this.#files.push(file);
    if ('spool' in file) this.#spooled.push(file);
    else this.#inMemory += file.size;
  }
}

const parseParametersPart = (text: string) =>
  parseObject(text, 'The part "parameters"', 'parameters');

const isFilePart = (name: string) => name === 'file' || name === 'files' || name === 'files[]';

const shorten = (name: string) => name.slice(0, 60).toWellFormed();

/** Decodes a field's text as UTF-8, or in the charset of its part. */
function decode(bytes: Uint8Array, { name, charset = 'utf-8' }: PartHeader): string {
  const decoder = decoderOf(charset);
  if (decoder === null) {
    throw badRequest(`The charset of the part "${name}" is unknown. Send UTF-8.`, name);
  }
  try {
    return decoder.decode(bytes);
  } catch {
    throw badRequest(`The part "${name}" is not valid ${shorten(charset).toUpperCase()}.`, name);
  }
}

function decoderOf(charset: string): TextDecoder | null {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: false });
  } catch {
    return null;
  }
}
