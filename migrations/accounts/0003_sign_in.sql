-- Sign-in methods. Times are milliseconds since the epoch. Only the SHA-256 of a secret is stored, in hexadecimal.
CREATE TABLE passkeys (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  public_key TEXT NOT NULL,
  counter INTEGER NOT NULL,
  transports TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) WITHOUT ROWID;

CREATE INDEX passkeys_by_account ON passkeys (account_id);

-- An answered challenge is deleted, so that it can be used only once.
CREATE TABLE passkey_challenges (
  challenge TEXT NOT NULL PRIMARY KEY,
  purpose TEXT NOT NULL,
  account_id TEXT NOT NULL,
  name TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE recovery_codes (
  hash TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE INDEX recovery_codes_by_account ON recovery_codes (account_id);

CREATE TABLE github_users (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL UNIQUE REFERENCES accounts (id) ON DELETE CASCADE,
  login TEXT NOT NULL,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE sessions (
  hash TEXT NOT NULL PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  browser TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE INDEX sessions_by_account ON sessions (account_id);
