/** Caches links in this isolate and in its data center, so that the isolates of a data center share database reads. */
import type { ShortLink } from '../core/moderation.ts';
import { log } from '../lib/log.ts';

export type OpenedLink = Pick<ShortLink, 'url' | 'removed' | 'warned'>;

interface Entry {
  link: OpenedLink;
  /** The time at which the link was read from the database, in milliseconds since the epoch. */
  readAt: number;
}

/**
 * How long a link is cached, in seconds. A removed link may still redirect for this long. The documentation promises at
 * most one minute.
 */
const LIFE_SECONDS = 30;
const MAX_REMEMBERED = 1000;

export class LinkCache {
  readonly #open: (() => Promise<Cache>) | undefined;
  readonly #baseUrl: string;
  readonly #remembered = new Map<string, Entry>();
  #forgottenAt = 0;

  /**
   * `open` opens the data center's cache, if there is one. The base URL is part of the key, because deployments may
   * share this cache.
   */
  constructor(baseUrl: string, open: (() => Promise<Cache>) | undefined) {
    this.#baseUrl = baseUrl;
    this.#open = open;
  }

  async get(code: string): Promise<OpenedLink | null> {
    const known = this.#remembered.get(code);
    if (known && this.#isCurrent(known)) return known.link;
    const shared = await this.#readShared(code);
    if (!shared || !this.#isCurrent(shared)) return null;
    this.#remember(code, shared);
    return shared.link;
  }

  /** Caches a link that has just been read from the database. */
  async put(code: string, link: OpenedLink): Promise<void> {
    const entry = { link, readAt: Date.now() };
    this.#remember(code, entry);
    try {
      const headers = { 'Cache-Control': `max-age=${LIFE_SECONDS}` };
      const cache = await this.#open?.();
      await cache?.put(this.#address(code), Response.json(entry, { headers }));
    } catch (error) {
      log('error', 'cache', { what: 'put a link', cause: error });
    }
  }

  /** Must be called after a link is changed. Other isolates read the link again when their cache entry expires. */
  forget(): void {
    this.#remembered.clear();
    this.#forgottenAt = Date.now();
  }

  #isCurrent({ readAt }: Entry): boolean {
    return readAt > this.#forgottenAt && Date.now() < readAt + LIFE_SECONDS * 1000;
  }

  #remember(code: string, entry: Entry): void {
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(code, entry);
  }

  async #readShared(code: string): Promise<Entry | undefined> {
    try {
      const found = await (await this.#open?.())?.match(this.#address(code));
      return await found?.json<Entry>();
    } catch (error) {
      log('error', 'cache', { what: 'get a link', cause: error });
      return undefined;
    }
  }

  #address(code: string): string {
    return `https://links.invalid/${encodeURIComponent(this.#baseUrl)}/${code}`;
  }
}
