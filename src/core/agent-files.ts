/** The files that a caller stored through the endpoint for agents. MCP lists them as resources. */

export interface AgentFile {
  id: string;
  filename: string;
  contentType: string;
  /** The size in bytes. */
  size: number;
  /** The expiry in milliseconds since the epoch. */
  expiresAt: number;
}

/**
 * Lists stored files by owner. An owner is an account or an API key, as for jobs (core/jobs.ts). Anonymous callers have
 * no list.
 */
export interface AgentFiles {
  add(owner: string, file: AgentFile): Promise<void>;
  /** Returns at most 200 unexpired files, latest expiry first. */
  list(owner: string, now: number): Promise<AgentFile[]>;
  /** Returns the owners of a file. The list is empty if the file was not stored for a key or an account. */
  owners(id: string): Promise<string[]>;
}
