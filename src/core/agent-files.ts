/** The files that a caller stored through the endpoint for agents: its MCP resources. */

export interface AgentFile {
  id: string;
  filename: string;
  contentType: string;
  /** Bytes. */
  size: number;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/** Owners are those of jobs (core/jobs.ts): an account or a key. Anonymous callers have no list. */
export interface AgentFiles {
  add(owner: string, file: AgentFile): Promise<void>;
  /** The files that have not expired, those that last longest first; at most 200. */
  list(owner: string, now: number): Promise<AgentFile[]>;
  /** The owners of a file; none if it was not stored for a key or an account. */
  owners(id: string): Promise<string[]>;
}
