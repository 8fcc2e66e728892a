/** The store of one-time upload addresses on D1. */

export interface PromisedUpload {
  filename: string;
  /** The media type that was announced for the file. */
  contentType: string | null;
}

export class D1Uploads {
  readonly #database: D1Database;

  constructor(database: D1Database) {
    this.#database = database;
  }

  async create(hash: string, upload: PromisedUpload, expiresAt: number): Promise<void> {
    await this.#database
      .prepare('INSERT INTO uploads (hash, filename, content_type, expires_at) VALUES (?, ?, ?, ?)')
      .bind(hash, upload.filename, upload.contentType, expiresAt)
      .run();
  }

  /** Whether a file may still be uploaded to the address. */
  async isOpen(hash: string, now: number): Promise<boolean> {
    const found = this.#database
      .prepare('SELECT 1 FROM uploads WHERE hash = ? AND expires_at > ?')
      .bind(hash, now)
      .first();
    return (await found) !== null;
  }

  /** Takes the address out of the store: of several concurrent calls one gets it, the others null. */
  take(hash: string, now: number): Promise<PromisedUpload | null> {
    return this.#database
      .prepare(
        'DELETE FROM uploads WHERE hash = ? AND expires_at > ? RETURNING filename, content_type AS contentType',
      )
      .bind(hash, now)
      .first<PromisedUpload>();
  }

  async cleanUp(now: number): Promise<void> {
    await this.#database.prepare('DELETE FROM uploads WHERE expires_at <= ?').bind(now).run();
  }
}
