/** The links port on D1: one row a code. Visits are gathered for a second and written together. */
import type { LinksPort } from '../core/ports.ts';

const GATHER_MS = 1000;

export class D1Links implements LinksPort {
  readonly #database: D1Database;
  readonly #baseUrl: string;
  #visits = new Map<string, number>();
  #writing: Promise<void> | undefined;

  constructor(database: D1Database, baseUrl: string) {
    this.#database = database;
    this.#baseUrl = baseUrl;
  }

  async create(code: string, url: string): Promise<boolean> {
    // The primary key decides between two calls at the same moment.
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
    const base = new URL(this.#baseUrl);
    const path = base.pathname.replace(/\/$/, '');
    return (
      url.host === base.host &&
      url.pathname.startsWith(`${path}/`) &&
      /^\/[A-Za-z0-9_-]{3,32}\/?$/.test(url.pathname.slice(path.length))
    );
  }

  /** Counts a visit. The promise ends when it is written: hand it to `waitUntil`. */
  countVisit(code: string): Promise<void> {
    this.#visits.set(code, (this.#visits.get(code) ?? 0) + 1);
    this.#writing ??= this.#writeSoon();
    return this.#writing;
  }

  async #writeSoon(): Promise<void> {
    await scheduler.wait(GATHER_MS);
    const visits = this.#visits;
    this.#visits = new Map();
    this.#writing = undefined;
    const add = this.#database.prepare('UPDATE short_links SET visits = visits + ? WHERE code = ?');
    try {
      await this.#database.batch([...visits].map(([code, count]) => add.bind(count, code)));
    } catch (error) {
      // The next visit's write takes them along.
      for (const [code, count] of visits) {
        this.#visits.set(code, (this.#visits.get(code) ?? 0) + count);
      }
      throw error;
    }
  }
}
