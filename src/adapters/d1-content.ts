/** The content in D1: its version, its documents one by one and as a list. */
import {
  type ContentDocument,
  type ContentState,
  idOf,
  type ListedDocument,
  removalOfOthers,
  UNLISTED,
} from '../core/content.ts';
import { unavailable } from '../core/errors.ts';

/** How long an isolate goes on with a version before it looks whether there is a newer one. */
const BELIEVED_MS = 10_000;
/** Requests that began with the old version have ended by then. */
const OLD_VERSION_KEPT_MS = 60_000;

const LISTED = 'id, path, section, title, description, tags, published_at, updated_at';

interface Row {
  id: number;
  path: string;
  section: ContentDocument['section'];
  title: string;
  description: string;
  tags: string;
  published_at: string;
  updated_at: string;
  markdown: string;
}

export interface Listing {
  documents: ListedDocument[];
  /** Where the next page begins; null at the end. */
  next: number | null;
}

export class D1Content {
  readonly #database: D1Database;
  #state: ContentState | null = null;
  #asked = Number.NEGATIVE_INFINITY;

  constructor(database: D1Database) {
    this.#database = database;
  }

  /** The version that answers; null before the first ingest. Asked of the database every ten seconds only. */
  async state(): Promise<ContentState | null> {
    const now = Date.now();
    if (this.#state && now - this.#asked < BELIEVED_MS) return this.#state;
    const row = await this.#database
      .prepare('SELECT version, digest, passages, centroids FROM content_state WHERE id = 1')
      .first<{ version: number; digest: string; passages: number; centroids: string }>();
    this.#asked = now;
    const known = this.#state;
    if (known && row?.digest === known.digest && row.version === known.version) return known;
    this.#state = row && {
      ...row,
      centroids: new Int8Array(Uint8Array.fromBase64(row.centroids).buffer),
    };
    return this.#state;
  }

  /** The version that answers. Throws 503 before the first ingest. */
  async ingested(): Promise<ContentState> {
    const state = await this.state();
    if (state) return state;
    throw unavailable('The documents have not been ingested yet. Run: npm run ingest', 30);
  }

  async document(version: number, path: string): Promise<ContentDocument | null> {
    const row = await this.#database
      .prepare(
        `SELECT ${LISTED}, markdown FROM documents WHERE path = ? AND id >= ? AND id < ? LIMIT 1`,
      )
      .bind(path, ...spanOf(version))
      .first<Row>();
    return row && { ...listed(row), markdown: row.markdown };
  }

  /** Documents in their order, from number `from` of the version on, `limit` of them or all. */
  async list(
    version: number,
    {
      section,
      from = 0,
      limit,
    }: { section?: ContentDocument['section']; from?: number; limit?: number },
  ): Promise<Listing> {
    const rows = await this.#select<Row>(LISTED, version, section, from, limit && limit + 1);
    const page = limit ? rows.slice(0, limit) : rows;
    const following = rows[page.length];
    return {
      documents: page.map(listed),
      next: following ? following.id - idOf(version, 0) : null,
    };
  }

  /** Whole documents, a few at a time, so that any number of them takes little memory; the pages of /docs first. */
  async *whole(version: number): AsyncGenerator<ContentDocument> {
    yield* this.#wholeOf(version, UNLISTED);
    yield* this.#wholeOf(version, undefined);
  }

  async *#wholeOf(
    version: number,
    section: ContentDocument['section'] | undefined,
  ): AsyncGenerator<ContentDocument> {
    for (let from = 0; ; ) {
      const rows = await this.#select<Row>(`${LISTED}, markdown`, version, section, from, 20);
      for (const row of rows) yield { ...listed(row), markdown: row.markdown };
      if (rows.length === 0) return;
      from = rows.at(-1)!.id + 1 - idOf(version, 0);
    }
  }

  async #select<T>(
    columns: string,
    version: number,
    section: ContentDocument['section'] | undefined,
    from: number,
    limit: number | undefined,
  ): Promise<T[]> {
    const { results } = await this.#database
      .prepare(
        `SELECT ${columns} FROM documents WHERE section ${section ? '=' : '<>'} ? AND id >= ? AND id < ? ORDER BY id LIMIT ?`,
      )
      .bind(section ?? UNLISTED, idOf(version, from), idOf(version + 1, 0), limit ?? -1)
      .all<T>();
    return results;
  }

  /** Removes the rows of versions that answer no more. */
  async cleanUp(now: number): Promise<void> {
    const state = await this.#database
      .prepare('SELECT version FROM content_state WHERE id = 1 AND ingested_at < ?')
      .bind(now - OLD_VERSION_KEPT_MS)
      .first<{ version: number }>();
    if (!state) return;
    await this.#database.batch(
      removalOfOthers(state.version).map(({ sql, values }) =>
        this.#database.prepare(sql).bind(...values),
      ),
    );
  }
}

const spanOf = (version: number): [number, number] => [idOf(version, 0), idOf(version + 1, 0)];

const listed = (row: Row): ListedDocument => ({
  path: row.path,
  title: row.title,
  description: row.description,
  section: row.section,
  tags: JSON.parse(row.tags),
  publishedAt: row.published_at,
  updatedAt: row.updated_at,
});
