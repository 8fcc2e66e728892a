/**
 * multipart/form-data (RFC 7578) as it streams in: small files stay in memory, large ones go to storage while they
 * arrive, so that a 50 MB upload passes an isolate of 128 MB. Parts may come in any order.
 */
import { decodeField, type MultipartError, make, type PartInfo } from 'multipasta';
import type { Tool } from '../core/define-tool.ts';
import { badRequest, type ToolError } from '../core/errors.ts';
import { HEAD_BYTES, type InputFile, memoryFile } from '../core/input-file.ts';
import { MAX_BODY_BYTES, MAX_FILE_BYTES, MAX_JSON_BYTES, MB } from '../core/limits.ts';
import type { Spool, SpooledFile, SpoolPort } from '../core/ports.ts';
import { checkSize } from '../execute/input-files.ts';
import { safeFilename } from '../lib/filename.ts';
import { joinBytes } from '../lib/join-bytes.ts';
import { servedType } from '../lib/served-type.ts';
import { asParameters, bodyTooLarge, parseObject, type RestCall, toolNamed } from './read-call.ts';

/** How much of a request's files may wait in memory; the rest goes to storage. */
const MEMORY_BYTES = 8 * MB;
const READ_BYTES = 64 * 1024;
const MAX_PARTS = 200;

type Event =
  | { kind: 'field'; name: string; value: string }
  | { kind: 'file'; part: PartInfo }
  | { kind: 'bytes'; bytes: Uint8Array }
  | { kind: 'end' };

/** Reads a whole multipart request. Whatever it throws, nothing stays behind in storage. */
export async function readMultipart(request: Request, spooling: SpoolPort): Promise<RestCall> {
  const form = new FormReader(spooling);
  try {
    await form.readAll(request);
    return form.call();
  } catch (error) {
    await form.release();
    throw error;
  }
}

class FormReader {
  readonly #spooling: SpoolPort;
  readonly #files: InputFile[] = [];
  readonly #spooled: SpooledFile[] = [];
  readonly #warnings: string[] = [];
  #tool: Tool | undefined;
  #parameters: Record<string, unknown> = {};
  #current: IncomingFile | undefined;
  #inMemory = 0;
  /** Bytes that the body has beyond the events taken so far, at most; unknown for a chunked body. */
  #toCome: number | undefined;
  /** A body that cannot fit into memory does not try: its files go to storage from their first bytes on. */
  #large = true;

  constructor(spooling: SpoolPort) {
    this.#spooling = spooling;
  }

  async readAll(request: Request): Promise<void> {
    const length = request.headers.get('Content-Length');
    if (length !== null) this.#toCome = Number(length);
    this.#large = length === null || Number(length) > MEMORY_BYTES;
    const events: Event[] = [];
    let problem: MultipartError | undefined;
    const parser = make({
      headers: { 'content-type': request.headers.get('Content-Type') ?? '' },
      maxParts: MAX_PARTS,
      maxFieldSize: MAX_JSON_BYTES,
      isFile: (part) => part.filename !== undefined || isFilePart(part.name),
      onField: (part, value) =>
        events.push({ kind: 'field', name: part.name, value: decodeField(part, value) }),
      onFile: (part) => {
        events.push({ kind: 'file', part });
        return (bytes) => events.push(bytes ? { kind: 'bytes', bytes } : { kind: 'end' });
      },
      onError: (error) => {
        problem ??= error;
      },
      onDone: () => {},
    });
    const reader = request.body?.getReader({ mode: 'byob' });
    let buffer = new ArrayBuffer(READ_BYTES);
    let size = 0;
    while (reader) {
      const { value: chunk, done } = await reader.read(new Uint8Array(buffer));
      if (done || !chunk) break;
      size += chunk.byteLength;
      if (size > MAX_BODY_BYTES) throw bodyTooLarge(MAX_BODY_BYTES);
      parser.write(chunk);
      const [first] = events;
      const whole = first?.kind === 'bytes' && first.bytes.byteLength === chunk.byteLength;
      for (const event of events.splice(0)) await this.#take(event);
      if (problem) throw describe(problem);
      // What lies within a file is copied on, so its buffer serves again; elsewhere the parser may still hold it.
      buffer = whole ? chunk.buffer : new ArrayBuffer(READ_BYTES);
    }
    parser.end();
    for (const event of events.splice(0)) await this.#take(event);
    if (problem) throw describe(problem);
  }

  call(): RestCall {
    return {
      tool: this.#tool ?? toolNamed(undefined),
      parameters: this.#parameters,
      files: this.#files,
      warnings: this.#warnings,
      release: () => this.release(),
    };
  }

  async release(): Promise<void> {
    await this.#current?.abort();
    await Promise.all(this.#spooled.map((file) => this.#spooling.discard(file)));
  }

  async #take(event: Event): Promise<void> {
    switch (event.kind) {
      case 'field':
        return this.#field(event.name, event.value);
      case 'file':
        this.#begin(event.part);
        return;
      case 'bytes':
        return this.#bytes(event.bytes);
      case 'end':
        return this.#end();
    }
  }

  #field(name: string, value: string): void {
    if (name === 'tool') this.#tool = toolNamed(value.trim());
    else if (name === 'parameters') {
      this.#parameters = asParameters(parseObject(value, 'The part "parameters"', 'parameters'));
    } else {
      this.#warnings.push(
        `The part "${name.slice(0, 60)}" was ignored: parameters go as one JSON object into the part "parameters".`,
      );
    }
  }

  #begin(part: PartInfo): void {
    if (!isFilePart(part.name)) {
      throw badRequest(
        `A file came in a part named "${part.name.slice(0, 60)}". Name it "file", or "files" for several.`,
        part.name.slice(0, 60),
      );
    }
    if (this.#tool && !this.#tool.files) {
      throw badRequest(`${this.#tool.name} takes no file. Leave the file out.`, part.name);
    }
    const declared = part.contentType.toLowerCase();
    this.#current = new IncomingFile(
      this.#spooling,
      this.#large ? HEAD_BYTES : MEMORY_BYTES - this.#inMemory,
      () => this.#toCome,
      safeFilename(part.filename),
      declared === 'application/octet-stream' || declared === '' ? undefined : declared,
    );
  }

  async #bytes(bytes: Uint8Array): Promise<void> {
    const file = this.#current;
    if (!file) return;
    const size = file.size + bytes.byteLength;
    if (this.#tool) checkSize(this.#tool, file.name, size);
    else if (size > MAX_FILE_BYTES) throw bodyTooLarge(MAX_FILE_BYTES);
    await file.write(bytes);
    if (this.#toCome !== undefined) this.#toCome -= bytes.byteLength;
  }

  async #end(): Promise<void> {
    const incoming = this.#current;
    if (!incoming) return;
    const file = await incoming.finish();
    this.#current = undefined;
    this.#files.push(file);
    if ('spool' in file) this.#spooled.push(file);
    else this.#inMemory += file.size;
  }
}

/** One file of a form: in memory up to a bound, in storage from then on. */
class IncomingFile {
  readonly name: string;
  size = 0;
  readonly #spooling: SpoolPort;
  readonly #memoryBytes: number;
  readonly #toCome: () => number | undefined;
  readonly #declaredType: string | undefined;
  #chunks: Uint8Array[] = [];
  #spool: Spool | undefined;

  constructor(
    spooling: SpoolPort,
    memoryBytes: number,
    toCome: () => number | undefined,
    name: string,
    declaredType: string | undefined,
  ) {
    this.#spooling = spooling;
    this.#memoryBytes = memoryBytes;
    this.#toCome = toCome;
    this.name = name;
    this.#declaredType = declaredType;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.size += bytes.byteLength;
    if (this.#spool) {
      await this.#spool.write(bytes);
      return;
    }
    this.#chunks.push(bytes.slice());
    if (this.size > this.#memoryBytes) await this.#toStorage();
  }

  async finish(): Promise<InputFile | SpooledFile> {
    if (this.#spool) return this.#spool.finish(this.name, this.#declaredType);
    return memoryFile(this.name, joinBytes(this.#chunks, this.size), this.#declaredType);
  }

  async abort(): Promise<void> {
    await this.#spool?.abort();
  }

  async #toStorage(): Promise<void> {
    const head = joinBytes(this.#chunks, this.size);
    this.#chunks = [];
    const contentType = await servedType(
      head.subarray(0, HEAD_BYTES),
      this.#declaredType,
      this.name,
    );
    this.#spool = this.#spooling.spool({ filename: this.name, contentType }, this.#toCome());
    await this.#spool.write(head);
  }
}

const isFilePart = (name: string) => name === 'file' || name === 'files' || name === 'files[]';

function describe(problem: MultipartError): ToolError {
  switch (problem._tag) {
    case 'InvalidBoundary':
      return badRequest(
        'The multipart body has no boundary. Let your HTTP client set Content-Type by itself.',
      );
    case 'EndNotReached':
      return badRequest('The multipart body ends before its closing boundary. Send it again.');
    case 'ReachedLimit':
      return problem.limit === 'MaxParts'
        ? badRequest(`The multipart body has more than ${MAX_PARTS} parts.`)
        : bodyTooLarge(MAX_JSON_BYTES);
    default:
      return badRequest('The multipart body is malformed: a part has unreadable headers.');
  }
}
