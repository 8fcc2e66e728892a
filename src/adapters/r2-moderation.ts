/** Finds, lists and withdraws stored files on R2 for operators. */
import type { HostedFile, HostedFiles } from '../core/moderation.ts';
import { isReason, type Reason } from '../core/moderation.ts';
import type { StorageBudget } from '../core/stored-bytes.ts';
import { expiryPrefix, fileExpiry } from '../lib/file-id.ts';
import { FILES_PREFIX, storedByOf } from './file-metadata.ts';

const HOUR_MS = 3_600_000;
/** The lifetimes of outputs, copies of icons, uploads and captures, in milliseconds. */
const LIVES_MS = [1, 2, 7, 8].map((days) => days * 24 * HOUR_MS);
/** The limit on calls that list objects. Each call lists at most 1,000 objects. */
const MAX_CALLS = 20;

export class R2Moderation implements HostedFiles {
  readonly #bucket: R2Bucket;
  readonly #freed: StorageBudget['freed'];
  readonly #clock: () => number;

  /** `freed` releases the bytes of a withdrawn file from the storage quotas. */
  constructor(bucket: R2Bucket, freed: StorageBudget['freed'], clock: () => number = Date.now) {
    this.#bucket = bucket;
    this.#freed = freed;
    this.#clock = clock;
  }

  async describe(id: string): Promise<HostedFile | null> {
    const end = fileExpiry(id);
    if (end === null || end <= this.#clock()) return null;
    const object = await this.#bucket.head(FILES_PREFIX + id);
    return object && hostedFile(object);
  }

  async withdraw(id: string, reason: Reason): Promise<boolean> {
    const object = await this.#bucket.head(FILES_PREFIX + id);
    const end = fileExpiry(id);
    if (!object || end === null) return false;
    // The file is replaced by one byte, because R2 refuses to read a range of an empty object.
    await this.#bucket.put(object.key, '-', { customMetadata: { removed: reason } });
    await this.#freed(object.size, end, storedByOf(object));
    return true;
  }

  async newest(ms: number, most: number): Promise<HostedFile[]> {
    const now = this.#clock();
    const found = new Map<string, HostedFile>();
    // IDs are sorted by expiry, so the newest files with the same lifetime are adjacent.
    for (const life of LIVES_MS) {
      const files = this.#between(now + life - ms, now + life + 60_000);
      for await (const file of files) if (file.uploaded > now - ms) found.set(file.id, file);
    }
    return newestFirst([...found.values()]).slice(0, most);
  }

  async madeBy(makers: readonly string[], most: number): Promise<HostedFile[]> {
    const found: HostedFile[] = [];
    for await (const file of this.#between(this.#clock(), Number.POSITIVE_INFINITY)) {
      if (file.maker !== null && makers.includes(file.maker)) found.push(file);
    }
    return newestFirst(found).slice(0, most);
  }

  /** Lists the files that expire between two times. */
  async *#between(from: number, to: number): AsyncGenerator<HostedFile> {
    let cursor: string | undefined;
    for (let calls = 0; calls < MAX_CALLS; calls += 1) {
      const listed = await this.#bucket.list({
        prefix: FILES_PREFIX,
        limit: 1000,
        include: ['customMetadata', 'httpMetadata'],
        ...(cursor ? { cursor } : { startAfter: FILES_PREFIX + expiryPrefix(from) }),
      });
      for (const object of listed.objects) {
        const file = hostedFile(object);
        if (file === null) continue;
        if (file.expiresAt > to) return;
        yield file;
      }
      if (!listed.truncated) return;
      cursor = listed.cursor;
    }
  }
}

const newestFirst = (files: HostedFile[]) => files.sort((one, two) => two.uploaded - one.uploaded);

function hostedFile({
  key,
  size,
  uploaded,
  customMetadata = {},
  httpMetadata,
}: R2Object): HostedFile | null {
  const id = key.slice(FILES_PREFIX.length);
  const expiresAt = fileExpiry(id);
  if (expiresAt === null) return null;
  const { filename = '', maker = null, gzip, removed } = customMetadata;
  return {
    id,
    filename,
    contentType: httpMetadata?.contentType ?? '',
    size: Number(gzip ?? size),
    uploaded: uploaded.getTime(),
    expiresAt,
    maker,
    removed: isReason(removed) ? removed : null,
  };
}
