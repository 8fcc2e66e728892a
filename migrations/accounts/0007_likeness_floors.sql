-- For each embedding model, the similarity that unrelated questions reach. Passages below it are not results.
CREATE TABLE likeness_floors (
  model TEXT NOT NULL PRIMARY KEY,
  digest TEXT NOT NULL,
  likeness REAL NOT NULL
) WITHOUT ROWID;
