/** The D1 store of one-time upload URLs. A URL is stored as the SHA-256 of its secret. */
import { randomBase62 } from '../lib/base62.ts';
import { sha256 } from '../lib/sha256.ts';
import { D1Store } from './d1-store.ts';
import { deletePortions } from './in-portions.ts';

const LIFE_MS = 3_600_000;
const SECRET_CHARACTERS = 32;

export interface PromisedUpload {
  filename: string;
  contentType: string | null;
}

/** A file that was uploaded to a URL from `create_upload`. */
export interface UploadedFile {
  id: string;
  /** The expiry time in milliseconds since the epoch. */
  expiresAt: number;
}

export class D1Uploads extends D1Store {
  /**
   * `agent` is the owner of the file (core/jobs.ts). It is empty for an anonymous agent and null if no agent created
   * the URL. `fileOf` finds the file only if `agent` is not null.
   */
  async create(
    { filename, contentType }: PromisedUpload,
    now: number,
    agent: string | null = null,
  ): Promise<{ secret: string; expiresAt: number }> {
    const secret = randomBase62(SECRET_CHARACTERS);
    const expiresAt = now + LIFE_MS;
    await this.run(
      'INSERT INTO uploads (hash, filename, content_type, expires_at, agent) VALUES (?, ?, ?, ?, ?)',
      [await sha256(secret), filename, contentType, expiresAt, agent],
    );
    return { secret, expiresAt };
  }

  /** Returns the name and type of the upload that the URL still accepts, or null. */
  async find(secret: string, now: number): Promise<PromisedUpload | null> {
    return this.first<PromisedUpload>(
      'SELECT filename, content_type AS contentType FROM uploads WHERE hash = ? AND expires_at > ?',
      [await sha256(secret), now],
    );
  }

  /**
   * Uses up the URL and returns the agent that created it, if any. Returns null if the URL was already used or has
   * expired. Only one of several concurrent calls succeeds.
   */
  async take(secret: string, now: number): Promise<{ agent: string | null } | null> {
    return this.first<{ agent: string | null }>(
      'DELETE FROM uploads WHERE hash = ? AND expires_at > ? RETURNING agent',
      [await sha256(secret), now],
    );
  }

  /** Records which file was uploaded to a URL that an agent created. */
  async assign(secret: string, { id, expiresAt }: UploadedFile): Promise<void> {
    await this.run('INSERT INTO uploaded_files (hash, file_id, expires_at) VALUES (?, ?, ?)', [
      await sha256(secret),
      id,
      expiresAt,
    ]);
  }

  /** Returns the ID of the file that was uploaded to a URL that an agent created, or null. */
  async fileOf(secret: string, now: number): Promise<string | null> {
    const found = await this.first<{ id: string }>(
      'SELECT file_id AS id FROM uploaded_files WHERE hash = ? AND expires_at > ?',
      [await sha256(secret), now],
    );
    return found?.id ?? null;
  }

  async cleanUp(now: number): Promise<void> {
    for (const table of ['uploads', 'uploaded_files'])
      await deletePortions(this.database, table, 'hash', 'expires_at <= ?1', now);
  }
}
