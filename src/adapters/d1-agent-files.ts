/** The D1 store of the files that keys and accounts have uploaded or created through the endpoint for agents. */
import type { AgentFile, AgentFiles } from '../core/agent-files.ts';
import { fileExpiry } from '../lib/file-id.ts';
import { D1Store } from './d1-store.ts';
import { deletePortions } from './in-portions.ts';

/** The maximum number of files that are listed for an owner. */
const MAX_LISTED = 200;

export class D1AgentFiles extends D1Store implements AgentFiles {
  async add(
    owner: string,
    { id, filename, contentType, size, expiresAt }: AgentFile,
  ): Promise<void> {
    await this.run('INSERT OR IGNORE INTO agent_files VALUES (?, ?, ?, ?, ?, ?)', [
      owner,
      id,
      filename,
      contentType,
      size,
      expiresAt,
    ]);
  }

  async list(owner: string, now: number): Promise<AgentFile[]> {
    return this.all<AgentFile>(
      `SELECT file_id AS id, filename, content_type AS contentType, size, expires_at AS expiresAt
         FROM agent_files WHERE owner = ? AND expires_at > ? ORDER BY expires_at DESC LIMIT ?`,
      [owner, now, MAX_LISTED],
    );
  }

  async owners(id: string): Promise<string[]> {
    const results = await this.all<{ owner: string }>(
      'SELECT owner FROM agent_files WHERE expires_at = ? AND file_id = ?',
      [fileExpiry(id), id],
    );
    return results.map(({ owner }) => owner);
  }

  async cleanUp(now: number): Promise<void> {
    await deletePortions(this.database, 'agent_files', 'owner, file_id', 'expires_at <= ?1', now);
  }
}
