-- One-time addresses to which a file may be uploaded, by the SHA-256 of what is secret in them. A row is taken out by
-- the upload. Times are milliseconds since the epoch.
CREATE TABLE uploads (
  hash TEXT NOT NULL PRIMARY KEY,
  filename TEXT NOT NULL,
  content_type TEXT,
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE INDEX uploads_by_end ON uploads (expires_at);
