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

  /** What may still be uploaded to the address, or null. */
  find(hash: string, now: number): Promise<PromisedUpload | null> {
    return this.#database
      .prepare(
        'SELECT filename, content_type AS contentType FROM uploads WHERE hash = ? AND expires_at > ?',
      )
      .bind(hash, now)
      .first<PromisedUpload>();
  }

  /** Takes the address out of the store. Of several concurrent calls one gets true. */
  async take(hash: string, now: number): Promise<boolean> {
    const taken = this.#database
      .prepare('DELETE FROM uploads WHERE hash = ? AND expires_at > ? RETURNING hash')
      .bind(hash, now)
      .first();
    return (await taken) !== null;
  }

  async cleanUp(now: number): Promise<void> {
    await this.#database.prepare('DELETE FROM uploads WHERE expires_at <= ?').bind(now).run();
  }
}
