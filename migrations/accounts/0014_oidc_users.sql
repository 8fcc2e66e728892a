-- Users of the team's identity provider. A subject is unique within its issuer (OpenID Connect Core 1.0, section 2).
CREATE TABLE oidc_users (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  account_id TEXT NOT NULL UNIQUE REFERENCES accounts (id) ON DELETE CASCADE,
  email TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (issuer, subject)
) WITHOUT ROWID;
