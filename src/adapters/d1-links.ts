/**
 * Implements the links port on D1, with one row per code. Visits are collected in this isolate and written together.
 */
import type { Caller } from '../core/caller.ts';
import type { LinksPort } from '../core/ports.ts';
import { D1Store } from './d1-store.ts';
import { Gatherer } from './gatherer.ts';
import { LinkCache, type OpenedLink } from './link-cache.ts';
import { isOwnShortLink } from './own-short-link.ts';

/**
 * How long visits are collected before they are written, in milliseconds. All isolates update the same row of a popular
 * link, so a write for each visit would be slow.
 */
const VISITS_MS = 10_000;

export class D1Links extends D1Store implements LinksPort {
  readonly #baseUrl: string;
  readonly #makerOf: (caller: Caller) => string | undefined;
  readonly #visits = new Gatherer<string>('visits', (codes) => this.#writeVisits(codes), VISITS_MS);
  readonly #cache: LinkCache;

  /**
   * `makerOf` returns the maker's name that is stored with a link. If it returns none, as it does by default, `unknown`
   * is stored. `openCache` opens the data center's cache. By default links are cached only in the isolate.
   */
  constructor(
    database: D1Database,
    baseUrl: string,
    makerOf: (caller: Caller) => string | undefined = () => undefined,
    openCache?: () => Promise<Cache>,
  ) {
    super(database);
    this.#baseUrl = baseUrl;
    this.#makerOf = makerOf;
    this.#cache = new LinkCache(baseUrl, openCache);
  }

  async create(code: string, url: string, caller: Caller): Promise<boolean> {
    // If concurrent calls use the same code, the primary key lets only one succeed.
    return this.changes(
      'INSERT INTO short_links (code, url, created_at, maker) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
      [code, url, Date.now(), this.#makerOf(caller) ?? 'unknown'],
    );
  }

  /**
   * Finds a link. The result may be up to 30 seconds old. Unknown codes are not cached, because a link with this code
   * may be created at any time.
   */
  async find(code: string): Promise<OpenedLink | null> {
    const cached = await this.#cache.get(code);
    if (cached) return cached;
    const read = (database: Pick<D1Database, 'prepare'>) =>
      database
        .prepare('SELECT url, removed, warned FROM short_links WHERE code = ?')
        .bind(code)
        .first<OpenedLink>();
    // The replica may lag behind. If it does not have the link, the main database is read as well.
    const link = (await read(this.replica)) ?? (await read(this.database));
    if (link) await this.#cache.put(code, link);
    return link;
  }

  /**
   * Must be called after a link is changed. The change takes effect at once in this isolate and within half a minute in
   * others.
   */
  forget(): void {
    this.#cache.forget();
  }

  shortUrl(code: string): string {
    return `${this.#baseUrl}/${code}`;
  }

  leadsHere(url: URL): boolean {
    return isOwnShortLink(url, this.#baseUrl);
  }

  /** Counts a visit. It is written after the response. Must be called while the request is being handled. */
  countVisit(code: string): void {
    this.#visits.add(code);
  }

  /** Writes the collected visits to the database. */
  flush(): Promise<void> {
    return this.#visits.flush();
  }

  async #writeVisits(codes: readonly string[]): Promise<void> {
    const visits = new Map<string, number>();
    for (const code of codes) visits.set(code, (visits.get(code) ?? 0) + 1);
    await this.run(
      `UPDATE short_links SET visits = visits + new.value
         FROM json_each(?) AS new WHERE short_links.code = new.key`,
      [JSON.stringify(Object.fromEntries(visits))],
    );
  }
}
