-- One-time upload addresses, by the SHA-256 of their secret part. The upload deletes the row. Times are milliseconds
-- since the epoch.
CREATE TABLE uploads (
  hash TEXT NOT NULL PRIMARY KEY,
  filename TEXT NOT NULL,
  content_type TEXT,
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE INDEX uploads_by_end ON uploads (expires_at);
