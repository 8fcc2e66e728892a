-- Accounts and API keys. Times are milliseconds since the epoch. Only the SHA-256 of a key is stored, in hexadecimal.
CREATE TABLE accounts (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;

-- A rotation moves the hash to previous_hash, which is valid until previous_expires_at. The row stays, and with it the
-- name, the quotas and the usage of the key.
CREATE TABLE api_keys (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('trial', 'persistent')),
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  display TEXT NOT NULL,
  previous_hash TEXT UNIQUE,
  previous_display TEXT,
  previous_expires_at INTEGER,
  requests_per_day INTEGER NOT NULL,
  tokens_per_month INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  rotated_at INTEGER,
  expires_at INTEGER,
  revoked_at INTEGER,
  last_used_at INTEGER,
  CHECK (kind = 'trial' OR account_id IS NOT NULL)
) WITHOUT ROWID;

CREATE INDEX api_keys_by_account ON api_keys (account_id);
