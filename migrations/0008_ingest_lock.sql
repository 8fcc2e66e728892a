-- Who writes a version of the documents now, and until when: one row while somebody does. `until` is in seconds.
CREATE TABLE ingest_lock (
  id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  holder TEXT NOT NULL,
  until INTEGER NOT NULL
);
