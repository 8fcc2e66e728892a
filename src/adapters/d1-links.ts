/** The links port on D1: one row per code. Visits are collected for a second and written together. */
import type { LinksPort } from '../core/ports.ts';
import { Gatherer } from '../lib/gatherer.ts';
import { isOwnShortLink } from '../lib/own-short-link.ts';

export class D1Links implements LinksPort {
  readonly #database: D1Database;
  readonly #baseUrl: string;
  readonly #visits = new Gatherer<string>('visits', (codes) => this.#writeVisits(codes));

  constructor(database: D1Database, baseUrl: string) {
    this.#database = database;
    this.#baseUrl = baseUrl;
  }

  async create(code: string, url: string): Promise<boolean> {
    // The primary key decides between two concurrent calls.
    const { meta } = await this.#database
      .prepare(
        'INSERT INTO short_links (code, url, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
      )
      .bind(code, url, Date.now())
      .run();
    return meta.changes === 1;
  }

  async find(code: string): Promise<string | null> {
    return this.#database
      .prepare('SELECT url FROM short_links WHERE code = ?')
      .bind(code)
      .first<string>('url');
  }

  shortUrl(code: string): string {
    return `${this.#baseUrl}/${code}`;
  }

  leadsHere(url: URL): boolean {
    return isOwnShortLink(url, this.#baseUrl);
  }

  /** Counts a visit, after the response. Call it while the request is being handled. */
  countVisit(code: string): void {
    this.#visits.add(code);
  }

  /** Writes the visits counted so far. */
  flush(): Promise<void> {
    return this.#visits.flush();
  }

  async #writeVisits(codes: readonly string[]): Promise<void> {
    const visits = new Map<string, number>();
    for (const code of codes) visits.set(code, (visits.get(code) ?? 0) + 1);
    await this.#database
      .prepare(
        `UPDATE short_links SET visits = visits + new.value
         FROM json_each(?) AS new WHERE short_links.code = new.key`,
      )
      .bind(JSON.stringify(Object.fromEntries(visits)))
      .run();
  }
}
