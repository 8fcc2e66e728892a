/** The files that keys and accounts stored through the endpoint for agents, on D1. */
import type { AgentFile, AgentFiles } from '../core/agent-files.ts';
import { endOfFileId } from '../lib/file-id.ts';
import { deletePortions } from './in-portions.ts';

/** Files per owner in a list. */
const MOST_LISTED = 200;

export class D1AgentFiles implements AgentFiles {
  readonly #database: D1Database;

  constructor(database: D1Database) {
    this.#database = database;
  }

  async add(
    owner: string,
    { id, filename, contentType, size, expiresAt }: AgentFile,
  ): Promise<void> {
    await this.#database
      .prepare('INSERT OR IGNORE INTO agent_files VALUES (?, ?, ?, ?, ?, ?)')
      .bind(owner, id, filename, contentType, size, expiresAt)
      .run();
  }

  async list(owner: string, now: number): Promise<AgentFile[]> {
    const { results } = await this.#database
      .prepare(
        `SELECT file_id AS id, filename, content_type AS contentType, size, expires_at AS expiresAt
         FROM agent_files WHERE owner = ? AND expires_at > ? ORDER BY expires_at DESC LIMIT ?`,
      )
      .bind(owner, now, MOST_LISTED)
      .all<AgentFile>();
    return results;
  }

  async owners(id: string): Promise<string[]> {
    const { results } = await this.#database
      .prepare('SELECT owner FROM agent_files WHERE expires_at = ? AND file_id = ?')
      .bind(endOfFileId(id), id)
      .all<{ owner: string }>();
    return results.map(({ owner }) => owner);
  }

  async cleanUp(now: number): Promise<void> {
    await deletePortions(this.#database, 'agent_files', 'owner, file_id', 'expires_at <= ?1', now);
  }
}
