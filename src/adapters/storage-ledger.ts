/**
 * The Durable Object that counts all bytes that the service stores. There is only one, and it is used only if
 * `MAX_STORAGE` is set.
 */
import { DurableObject } from 'cloudflare:workers';
import { byteSizeOf } from '../core/setting-checks.ts';
import type { LedgerAnswer, StoredBy } from '../core/stored-bytes.ts';
import { ByteLedger, type SavedLedger } from './byte-ledger.ts';
import { DiskSpace } from './disk-space.ts';

const KEY = 'ledger';
const WRITE_BEHIND_MS = 1000;
/** The maximum time between reserving bytes and writing them to the disk, in milliseconds. */
const ARRIVING_MS = 5000;
/** The share of the storage that all anonymous callers together may use. */
const ANONYMOUS_PART = 0.5;

export class StorageLedger extends DurableObject<Cloudflare.Env> {
  readonly #ledger: ByteLedger;
  readonly #disk: DiskSpace;
  readonly #most: number;
  #arriving: { at: number; bytes: number }[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(context: DurableObjectState, env: Cloudflare.Env) {
    super(context, env);
    this.#ledger = new ByteLedger(context.storage.kv.get<SavedLedger>(KEY));
    this.#disk = new DiskSpace(env.DISK);
    this.#most = byteSizeOf(env.MAX_STORAGE ?? '') ?? Number.POSITIVE_INFINITY;
  }

  /** There is no `await` after the measurement, so that concurrent calls cannot all pass the check. */
  async take(bytes: number, end: number, owner: StoredBy): Promise<LedgerAnswer> {
    const disk = await this.#disk.state();
    const now = Date.now();
    if (disk && disk.free - this.#arrivingBytes(now) - bytes < disk.floor) return 'disk-full';
    const { anonymous, known } = this.#ledger.stored(now);
    if (anonymous + known + bytes > this.#most) return 'full';
    if (owner === 'anonymous' && anonymous + bytes > this.#most * ANONYMOUS_PART) {
      return 'anonymous-full';
    }
    this.#ledger.add(bytes, end, owner);
    this.#arriving.push({ at: now, bytes });
    this.#writeSoon();
    return 'taken';
  }

  release(bytes: number, end: number, owner: StoredBy): void {
    this.#ledger.add(-bytes, end, owner);
    this.#writeSoon();
  }

  #arrivingBytes(now: number): number {
    this.#arriving = this.#arriving.filter(({ at }) => now - at < ARRIVING_MS);
    return this.#arriving.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  #writeSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.ctx.storage.kv.put(KEY, this.#ledger.save());
    }, WRITE_BEHIND_MS);
  }
}
