-- By embedding model, the likeness that questions about something else reach: what is not more alike has nothing in common.
CREATE TABLE likeness_floors (
  model TEXT NOT NULL PRIMARY KEY,
  digest TEXT NOT NULL,
  likeness REAL NOT NULL
) WITHOUT ROWID;
