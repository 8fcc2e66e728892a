-- The lock of the process that writes a version of the documents. `until` is in seconds since the epoch.
CREATE TABLE ingest_lock (
  id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  holder TEXT NOT NULL,
  until INTEGER NOT NULL
);
