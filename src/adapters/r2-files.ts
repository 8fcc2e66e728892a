/**
 * Implements the storage port on R2. The bucket contains stored files under `files/{id}`, and large uploads that are
 * still arriving.
 */

import type { ByteRange } from '../core/byte-range.ts';
import type { Caller } from '../core/caller.ts';
import { badRequest } from '../core/errors.ts';
import { gzip } from '../core/gzip.ts';
import { HEAD_BYTES, type InputFile } from '../core/input-file.ts';
import { UPLOAD_LIFE_SECONDS } from '../core/limits.ts';
import type {
  Spool,
  SpooledFile,
  SpoolPort,
  StoragePort,
  StoredFile,
  StoredObject,
  StoreOptions,
} from '../core/ports.ts';
import { type ByteReservation, type StorageBudget, storedBy } from '../core/stored-bytes.ts';
import { expiryPrefix, fileExpiry, fileExpiryText } from '../lib/file-id.ts';
import { isDeleteToken, newDeletableId } from './deletable-id.ts';
import { FILES_PREFIX as PREFIX, storedByOf } from './file-metadata.ts';
import { PART_BYTES, R2Spool } from './r2-spool.ts';
import { pump, withTimeLimit } from './storage-time.ts';
import { type ReadOptions, readStored, type Stored, served } from './stored-object.ts';

const NOT_OURS =
  'must be a link to a file stored by this service, such as one from upload_file. ' +
  'Upload the file first.';

export class R2Files implements StoragePort {
  readonly #bucket: R2Bucket;
  readonly #baseUrl: string;
  readonly #budget: StorageBudget;
  readonly #makerOf: (caller: Caller) => string | undefined;

  /** `makerOf` returns the maker's name that is stored with a file. By default no name is stored. */
  constructor(
    bucket: R2Bucket,
    storageUrl: string,
    budget: StorageBudget,
    makerOf: (caller: Caller) => string | undefined = () => undefined,
  ) {
    this.#bucket = bucket;
    this.#budget = budget;
    this.#makerOf = makerOf;
    this.#baseUrl = `${storageUrl}/${PREFIX}`;
  }

  async store(
    body: Uint8Array | { stream: ReadableStream<Uint8Array>; size: number | undefined },
    options: StoreOptions,
  ): Promise<StoredFile> {
    const end = Date.now() + options.lifeSeconds * 1000;
    const key = newDeletableId(end);
    const reservation = this.#budget.reservation(options.caller, end);
    try {
      const size = await this.#put(key.id, body, options, reservation);
      return this.#describe(key, size, options);
    } catch (error) {
      await reservation.release();
      throw error;
    }
  }

  /**
   * Writes the body to R2 and returns its size. R2 must know a stream's length in advance, so a stream of unknown
   * length is sent in parts.
   */
  async #put(
    id: string,
    body: Uint8Array | { stream: ReadableStream<Uint8Array>; size: number | undefined },
    options: StoreOptions,
    reservation: ByteReservation,
  ): Promise<number> {
    const described = this.#metadata(options);
    if (body instanceof Uint8Array) {
      const size = body.byteLength;
      const bytes = options.compress ? await gzip(body) : body;
      if (options.compress) Object.assign(described.customMetadata, { gzip: String(size) });
      await reservation.add(bytes.byteLength);
      await withTimeLimit(this.#bucket.put(PREFIX + id, bytes, described));
      return size;
    }
    if (body.size !== undefined) {
      await reservation.add(body.size);
      const { readable, writable } = new FixedLengthStream(body.size);
      const put = this.#bucket.put(PREFIX + id, readable, described);
      await pump(body.stream, writable, put);
      await withTimeLimit(put);
      return body.size;
    }
    const spool = new R2Spool(this.#bucket, PREFIX + id, described, undefined, reservation);
    try {
      for await (const chunk of body.stream) await spool.write(chunk);
      return (await spool.finish()).size;
    } catch (error) {
      await spool.abort();
      throw error;
    }
  }

  async keep(file: InputFile, options: StoreOptions): Promise<StoredFile> {
    const spool = (file as Partial<SpooledFile>).spool;
    if (
      spool?.exact &&
      options.lifeSeconds === UPLOAD_LIFE_SECONDS &&
      spool.filename === options.filename &&
      spool.contentType === options.contentType
    ) {
      spool.stored = true;
      return this.#describe(spool, file.size, options);
    }
    const body =
      file.size <= PART_BYTES
        ? await file.bytes()
        : { stream: await file.stream(), size: file.size };
    return this.store(body, options);
  }

  linkTo(id: string, filename: string): string {
    return `${this.#baseUrl}${id}/${encodeURIComponent(filename)}`;
  }

  isOurs(link: string): boolean {
    return URL.parse(link)?.origin === new URL(this.#baseUrl).origin;
  }

  expiryOf(link: string): number | null {
    const id = this.idOf(link);
    return id === null ? null : fileExpiry(id);
  }

  async open(link: string, param: string): Promise<InputFile> {
    const id = this.idOf(link);
    if (!id) throw badRequest(`${param} ${NOT_OURS}`, param);
    return this.openById(id, param);
  }

  async openById(id: string, param: string): Promise<InputFile> {
    const found = await this.read(id, { offset: 0, length: HEAD_BYTES });
    if (!found) {
      throw badRequest(
        `${param} refers to a file that does not exist or has expired. Upload the file again.`,
        param,
      );
    }
    const { object, body } = found;
    const head = new Uint8Array(await new Response(body).arrayBuffer());
    return this.#stored(id, {
      name: object.filename ?? 'file',
      size: object.size,
      declaredType: object.contentType,
      head,
    });
  }

  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const names = ids.map((id) => PREFIX + id);
    // R2 charges for each `head`, so the files' sizes are read only if the service counts its total stored bytes.
    const found = this.#budget.countsTotal
      ? await Promise.all(names.map((name) => this.#bucket.head(name)))
      : [];
    await this.#bucket.delete(names);
    for (const [index, object] of found.entries()) {
      const end = fileExpiry(ids[index]!);
      if (object && end !== null) await this.#budget.freed(object.size, end, storedByOf(object));
    }
  }

  /**
   * Deletes a file if the token is its delete token (ADR 79), no matter who sends it. Returns false if the token is
   * wrong.
   */
  async removeWith(token: string, id: string): Promise<boolean> {
    if (!isDeleteToken(id, token)) return false;
    await this.remove([id]);
    return true;
  }

  /**
   * Returns a stored file with its bytes or a range of them. Returns null if the file is unknown, expired or removed.
   */
  async read(
    id: string,
    range?: ByteRange,
  ): Promise<{ object: StoredObject; body: ReadableStream<Uint8Array> } | null> {
    const found = await this.readEvenRemoved(id, { range });
    if (!found?.body) return null;
    if (!found.object.removed) return { object: found.object, body: found.body };
    await found.body.cancel();
    return null;
  }

  /**
   * Reads a file as `read` does. For a file that an operator removed, `removed` is set and the body is a placeholder.
   * If the condition `onlyIf` is not met, the body is null.
   */
  async readEvenRemoved(id: string, options: ReadOptions = {}): Promise<Stored | null> {
    const end = fileExpiry(id);
    if (end === null || end <= Date.now()) return null;
    return readStored(this.#bucket, PREFIX + id, options);
  }

  /** Reads a file's properties. If an operator removed the file, they include `removed`. */
  async head(id: string): Promise<StoredObject | null> {
    const end = fileExpiry(id);
    if (end === null || end <= Date.now()) return null;
    const found = await this.#bucket.head(PREFIX + id);
    return found && served(found);
  }

  /** Creates a spool for one request's large uploads. Until the request ends, their bytes are charged to its caller. */
  spoolsOf(caller: Caller): SpoolPort {
    const reservations = new Map<string, ByteReservation>();
    return {
      spool: (options, atMost) => this.#spool(options, atMost, caller, reservations),
      discard: async ({ spool: { id, stored } }) => {
        if (stored) return;
        await this.#bucket.delete(PREFIX + id);
        await reservations.get(id)?.release();
      },
    };
  }

  #spool(
    options: { filename: string; contentType: string },
    atMost: number | undefined,
    caller: Caller,
    reservations: Map<string, ByteReservation>,
  ): Spool {
    // A spooled upload has the same expiry as a stored file, so it can become one without being copied.
    const end = Date.now() + UPLOAD_LIFE_SECONDS * 1000;
    const { id, deleteToken } = newDeletableId(end);
    const reservation = this.#budget.reservation(caller, end);
    const described = this.#metadata({ ...options, caller });
    const spool = new R2Spool(this.#bucket, PREFIX + id, described, atMost, reservation);
    reservations.set(id, reservation);
    return {
      write: (chunk) => spool.write(chunk),
      abort: () => spool.abort(),
      finish: async (name, declaredType) => {
        const { object, head, size } = await spool.finish();
        const file = this.#stored(id, { name, size, declaredType, head });
        const exact = object.size === size;
        return { ...file, spool: { id, deleteToken, exact, stored: false, ...options } };
      },
    };
  }

  /**
   * Deletes up to `most` expired objects, starting with those that expired first. Returns the number of deleted
   * objects.
   */
  async cleanUp(now: number, most = 10_000): Promise<number> {
    const limit = PREFIX + expiryPrefix(now);
    let deleted = 0;
    while (deleted < most) {
      const { objects } = await this.#bucket.list({ prefix: PREFIX, limit: 1000 });
      const expired = objects.map(({ key }) => key).filter((key) => key < limit);
      if (expired.length === 0) break;
      await this.#bucket.delete(expired);
      deleted += expired.length;
      if (expired.length < objects.length) break;
    }
    return deleted;
  }

  #metadata({
    filename,
    contentType,
    caller,
  }: Pick<StoreOptions, 'filename' | 'contentType' | 'caller'>) {
    const maker = this.#makerOf(caller);
    return {
      httpMetadata: { contentType },
      customMetadata: { filename, by: storedBy(caller), ...(maker && { maker }) },
    };
  }

  #describe(
    { id, deleteToken }: Pick<StoredFile, 'id' | 'deleteToken'>,
    size: number,
    { filename, contentType }: StoreOptions,
  ): StoredFile {
    return {
      id,
      url: this.linkTo(id, filename),
      filename,
      contentType,
      size,
      expiresAt: fileExpiryText(id),
      deleteToken,
    };
  }

  /** Returns the ID in a link to our storage. Returns null for any other link. */
  idOf(link: string): string | null {
    const url = URL.parse(link)?.href;
    if (!url?.startsWith(this.#baseUrl)) return null;
    const id = url.slice(this.#baseUrl.length).split(/[/?#]/, 1)[0] ?? '';
    return fileExpiry(id) === null ? null : id;
  }

  #stored(id: string, file: Pick<InputFile, 'name' | 'size' | 'declaredType' | 'head'>): InputFile {
    const body = async () => {
      const found = await this.read(id, { offset: 0, length: file.size });
      if (!found) throw new Error('a stored file vanished while it was in use');
      return found.body;
    };
    return {
      ...file,
      bytes: async () => new Uint8Array(await new Response(await body()).arrayBuffer()),
      stream: body,
    };
  }
}
