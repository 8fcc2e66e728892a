-- Usage. Days have the form 2026-11-21 and are in UTC. A call has a key, an account (the key's or the session's), or
-- both.
CREATE TABLE usage_by_day (
  day TEXT NOT NULL,
  key_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  tool TEXT NOT NULL,
  calls INTEGER NOT NULL,
  refused INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  PRIMARY KEY (key_id, account_id, day, tool)
) WITHOUT ROWID;

CREATE INDEX usage_by_day_and_account ON usage_by_day (account_id, day);
CREATE INDEX usage_by_age ON usage_by_day (day);

CREATE TABLE refused_calls (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  key_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  tool TEXT NOT NULL,
  status INTEGER NOT NULL,
  code TEXT NOT NULL,
  message TEXT NOT NULL
);

CREATE INDEX refused_calls_by_key ON refused_calls (key_id, id);
CREATE INDEX refused_calls_by_account ON refused_calls (account_id, id);
CREATE INDEX refused_calls_by_age ON refused_calls (at);
