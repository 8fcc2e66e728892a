/** The storage port on R2: stored files under `files/{id}`, and large uploads while they come in. */
import { badRequest } from '../core/errors.ts';
import { HEAD_BYTES, type InputFile } from '../core/input-file.ts';
import { UPLOAD_LIFE_SECONDS } from '../core/limits.ts';
import type {
  Spool,
  SpooledFile,
  SpoolPort,
  StoragePort,
  StoredFile,
  StoreOptions,
} from '../core/ports.ts';
import { endOfFileId, endPrefix, newFileId } from '../lib/file-id.ts';
import { PART_BYTES, R2Spool } from './r2-spool.ts';

const PREFIX = 'files/';
const NOT_OURS =
  'must be a link to a stored file of this service, as upload_file returns them. ' +
  'Upload the file first.';

export class R2Files implements StoragePort, SpoolPort {
  readonly #bucket: R2Bucket;
  readonly #baseUrl: string;

  constructor(bucket: R2Bucket, storageUrl: string) {
    this.#bucket = bucket;
    this.#baseUrl = `${storageUrl}/${PREFIX}`;
  }

  async store(
    body: Uint8Array | { stream: ReadableStream<Uint8Array>; size: number | undefined },
    options: StoreOptions,
  ): Promise<StoredFile> {
    const id = newFileId(Date.now() + options.lifeSeconds * 1000);
    const size = await this.#put(id, body, options);
    return this.#describe(id, size, options);
  }

  /** R2 wants to know a stream's length, or gets it in parts. Gives the size. */
  async #put(
    id: string,
    body: Uint8Array | { stream: ReadableStream<Uint8Array>; size: number | undefined },
    options: StoreOptions,
  ): Promise<number> {
    if (body instanceof Uint8Array) {
      await this.#bucket.put(PREFIX + id, body, metadata(options));
      return body.byteLength;
    }
    if (body.size !== undefined) {
      const { readable, writable } = new FixedLengthStream(body.size);
      const piped = body.stream.pipeTo(writable);
      await Promise.all([this.#bucket.put(PREFIX + id, readable, metadata(options)), piped]);
      return body.size;
    }
    const spool = new R2Spool(this.#bucket, PREFIX + id, metadata(options), undefined);
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
      spool.kept = true;
      return this.#describe(spool.id, file.size, options);
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

  async open(link: string, param: string): Promise<InputFile> {
    const id = this.#idOf(link);
    if (!id) throw badRequest(`${param} ${NOT_OURS}`, param);
    return this.openById(id, param);
  }

  async openById(id: string, param: string): Promise<InputFile> {
    const object = await this.read(id, { range: { offset: 0, length: HEAD_BYTES } });
    if (!object) {
      throw badRequest(
        `${param} names a stored file that is unknown or has expired. Upload the file again.`,
        param,
      );
    }
    const head = new Uint8Array(await object.arrayBuffer());
    return this.#stored(id, {
      name: object.customMetadata?.filename ?? 'file',
      size: object.size,
      declaredType: object.httpMetadata?.contentType,
      head,
    });
  }

  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#bucket.delete(ids.map((id) => PREFIX + id));
  }

  /** An object of ours with a body, or null where it is unknown or past its end. */
  async read(
    id: string,
    options: { range?: R2Range | Headers } = {},
  ): Promise<R2ObjectBody | null> {
    const end = endOfFileId(id);
    if (end === null || end <= Date.now()) return null;
    return this.#bucket.get(PREFIX + id, options);
  }

  /** As `read`, without the body. */
  async head(id: string): Promise<R2Object | null> {
    const end = endOfFileId(id);
    if (end === null || end <= Date.now()) return null;
    return this.#bucket.head(PREFIX + id);
  }

  spool(options: { filename: string; contentType: string }, atMost: number | undefined): Spool {
    // A spooled upload carries the end of a kept one, so that keeping it moves no bytes.
    const id = newFileId(Date.now() + UPLOAD_LIFE_SECONDS * 1000);
    const spool = new R2Spool(this.#bucket, PREFIX + id, metadata(options), atMost);
    return {
      write: (chunk) => spool.write(chunk),
      abort: () => spool.abort(),
      finish: async (name, declaredType) => {
        const { object, head, size } = await spool.finish();
        const file = this.#stored(id, { name, size, declaredType, head });
        return { ...file, spool: { id, exact: object.size === size, kept: false, ...options } };
      },
    };
  }

  async discard(file: SpooledFile): Promise<void> {
    if (!file.spool.kept) await this.#bucket.delete(PREFIX + file.spool.id);
  }

  /** Deletes what has expired, oldest end first, at most `most` objects; gives the number deleted. */
  async cleanUp(now: number, most = 10_000): Promise<number> {
    const limit = PREFIX + endPrefix(now);
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

  #describe(id: string, size: number, { filename, contentType }: StoreOptions): StoredFile {
    return {
      id,
      url: this.linkTo(id, filename),
      filename,
      contentType,
      size,
    };
  }

  #idOf(link: string): string | null {
    const url = URL.parse(link)?.href;
    if (!url?.startsWith(this.#baseUrl)) return null;
    const id = url.slice(this.#baseUrl.length).split(/[/?#]/, 1)[0] ?? '';
    return endOfFileId(id) === null ? null : id;
  }

  #stored(id: string, file: Pick<InputFile, 'name' | 'size' | 'declaredType' | 'head'>): InputFile {
    const body = async () => {
      const found = await this.#bucket.get(PREFIX + id, {
        range: { offset: 0, length: file.size },
      });
      if (!found) throw new Error('a stored file vanished while it was in use');
      return found;
    };
    return {
      ...file,
      bytes: async () => new Uint8Array(await (await body()).arrayBuffer()),
      stream: async () => (await body()).body,
    };
  }
}

const metadata = (options: { filename: string; contentType: string }) => ({
  httpMetadata: { contentType: options.contentType },
  customMetadata: { filename: options.filename },
});
