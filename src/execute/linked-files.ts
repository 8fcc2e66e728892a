/** Fetches the files outside our storage to which a call links. The address guard checks their addresses. */
import { type ToolError, tooLarge, upstreamFailed, upstreamTimedOut } from '../core/errors.ts';
import { type InputFile, memoryFile } from '../core/input-file.ts';
import { MAX_BODY_BYTES, MAX_FILE_BYTES, MB } from '../core/limits.ts';
import type { EgressPort, EgressResponse, Spool, SpooledFile, SpoolPort } from '../core/ports.ts';
import { mediaTypeOf } from '../lib/body.ts';
import { filenameOf } from '../lib/filename.ts';
import { joinBytes } from '../lib/join-bytes.ts';
import { fetchFollowing, waitForUpstream } from '../web/fetch-following.ts';

const SECONDS = 60;
const REDIRECTS = 3;
/** The maximum number of fetched bytes that a call holds in memory. A file that exceeds it is written to storage. */
const MEMORY_BYTES = 8 * MB;
const PIECE_BYTES = 64 * 1024;

/** Fetches the files of one call. `release` deletes the files that were written to storage. */
export class LinkedFiles {
  readonly #spooling: SpoolPort;
  readonly #egress: EgressPort;
  readonly #spooled: SpooledFile[] = [];
  #inMemory = 0;
  #total = 0;

  constructor(spooling: SpoolPort, egress: EgressPort) {
    this.#spooling = spooling;
    this.#egress = egress;
  }

  async fetch(address: URL, param: string, caller: AbortSignal, end: number): Promise<InputFile> {
    const seconds = Math.min(SECONDS, Math.floor((end - Date.now()) / 1000));
    if (seconds < 1) throw tooSlow(param);
    return waitForUpstream(seconds, param, caller, async (signal) => {
      const options = { accept: '*/*', redirects: REDIRECTS };
      const { url, response } = await fetchFollowing(this.#egress, address, options, signal);
      if (response.status !== 200) {
        await response.body?.cancel().catch(() => {});
        throw upstreamFailed(`${url.host} returned status ${response.status} instead of a file.`);
      }
      return this.#read(url, response);
    });
  }

  /** Whether anything was stored for this call. */
  get isUsed(): boolean {
    return this.#spooled.length > 0;
  }

  async release(): Promise<void> {
    await Promise.all(this.#spooled.map((file) => this.#spooling.discard(file)));
  }

  async #read(url: URL, response: EgressResponse): Promise<InputFile> {
    const name = filenameOf(response.headers.get('Content-Disposition'), url.pathname);
    const declared = mediaTypeOf(response.headers.get('Content-Type')) || undefined;
    const length = response.headers.get('Content-Length');
    const fits = (size: number) => size <= MAX_FILE_BYTES && this.#total + size <= MAX_BODY_BYTES;
    if (length !== null && !fits(Number(length))) {
      await response.body?.cancel().catch(() => {});
      throw tooMuch(name);
    }
    const chunks: Uint8Array[] = [];
    let size = 0;
    let spool: Spool | undefined;
    try {
      for await (const chunk of largePieces(response.body)) {
        size += chunk.byteLength;
        if (!fits(size)) throw tooMuch(name);
        if (!spool && this.#inMemory + size > MEMORY_BYTES) {
          const contentType = 'application/octet-stream';
          const remainingBytes = length === null ? undefined : Number(length);
          spool = this.#spooling.spool({ filename: name, contentType }, remainingBytes);
          for (const retained of chunks.splice(0)) await spool.write(retained);
        }
        if (spool) await spool.write(chunk);
        else chunks.push(chunk);
      }
      this.#total += size;
      if (!spool) {
        this.#inMemory += size;
        return memoryFile(name, joinBytes(chunks, size), declared);
      }
      const file = await spool.finish(name, declared);
      this.#spooled.push(file);
      return file;
    } catch (error) {
      await spool?.abort().catch(() => {});
      throw error;
    }
  }
}

/** Yields the body in pieces of 64 KiB, because each write to storage has a fixed cost. */
async function* largePieces(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader({ mode: 'byob' });
  try {
    while (reader) {
      const { value, done } = await reader.readAtLeast(PIECE_BYTES, new Uint8Array(PIECE_BYTES));
      if (value && value.byteLength > 0) yield value;
      if (done) return;
    }
  } finally {
    await reader?.cancel().catch(() => {});
  }
}

const tooSlow = (param: string): ToolError =>
  upstreamTimedOut(
    'The linked files took too long to fetch. Send fewer, or upload them first.',
  ).naming(param);

const tooMuch = (name: string): ToolError =>
  tooLarge(
    `The file ${name} is larger than the ${MAX_FILE_BYTES / MB} MB limit, or all files together exceed ${MAX_BODY_BYTES / MB} MB.`,
  );
