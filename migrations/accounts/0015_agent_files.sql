-- The files that were sent to addresses of create_upload, by the SHA-256 of the address's secret part, so that the
-- address itself names the file afterwards. `agent` is the file's owner, empty for an anonymous agent and NULL for an
-- address that was created over REST. Times are milliseconds since the epoch.
ALTER TABLE uploads ADD COLUMN agent TEXT;

CREATE TABLE uploaded_files (
  hash TEXT NOT NULL PRIMARY KEY,
  file_id TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE INDEX uploaded_files_by_end ON uploaded_files (expires_at);

-- The files that a key or an account stored through the endpoint for agents, for MCP's resources/list.
CREATE TABLE agent_files (
  owner TEXT NOT NULL,
  file_id TEXT NOT NULL,
  filename TEXT NOT NULL,
  content_type TEXT NOT NULL,
  size INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (owner, file_id)
) WITHOUT ROWID;

CREATE INDEX agent_files_by_end ON agent_files (expires_at);
