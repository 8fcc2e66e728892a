-- Vectors of an embedding model, by the embedded text.
CREATE TABLE passage_vectors (
  model TEXT NOT NULL,
  digest TEXT NOT NULL,
  vector TEXT NOT NULL,
  PRIMARY KEY (model, digest)
) WITHOUT ROWID;
