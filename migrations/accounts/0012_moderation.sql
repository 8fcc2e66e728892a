-- What operators do about abuse, and who made a short link. Times are milliseconds since the epoch.
-- `maker` is a keyed hash of an account or an address (src/access/makers.ts), deleted after 90 days.
-- `removed` and `warned` are a reason of src/core/moderation.ts.
ALTER TABLE short_links ADD COLUMN maker TEXT;
ALTER TABLE short_links ADD COLUMN removed TEXT;
ALTER TABLE short_links ADD COLUMN warned TEXT;

CREATE INDEX short_links_with_maker ON short_links (created_at, maker) WHERE maker IS NOT NULL;

-- When the session's owner last proved a passkey; null if the session began in another way.
ALTER TABLE sessions ADD COLUMN passkey_at INTEGER;

CREATE TABLE blocks (
  kind TEXT NOT NULL CHECK (kind IN ('network', 'account', 'key', 'maker', 'host')),
  value TEXT NOT NULL,
  note TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  PRIMARY KEY (kind, value)
) WITHOUT ROWID;

CREATE TABLE abuse_reports (
  id TEXT NOT NULL PRIMARY KEY,
  subject TEXT NOT NULL,
  reason TEXT NOT NULL,
  details TEXT NOT NULL,
  contact TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  closed_at INTEGER
) WITHOUT ROWID;

CREATE INDEX abuse_reports_by_state ON abuse_reports (closed_at, created_at);

-- `who` is `account:ID` or `shell:USER`; `subject` is `file:ID`, `link:CODE`, `key:ID`, `network:CIDR`, and so on.
CREATE TABLE admin_acts (
  id INTEGER NOT NULL PRIMARY KEY,
  at INTEGER NOT NULL,
  who TEXT NOT NULL,
  act TEXT NOT NULL,
  subject TEXT NOT NULL,
  note TEXT NOT NULL
);

CREATE INDEX admin_acts_by_subject ON admin_acts (subject, id);

-- The keys of the hashes in `maker`. A key hashes for 30 days and is deleted 90 days later.
CREATE TABLE maker_keys (
  id INTEGER NOT NULL PRIMARY KEY,
  secret TEXT NOT NULL,
  created_at INTEGER NOT NULL
);
