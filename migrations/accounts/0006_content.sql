-- The service's documents and their search index. A new version is written beside the current one, then named in
-- content_state, and the old version is deleted. Ids are version × 2^24 + number, so that a version is one range of
-- ids in every table, including the full-text index.
CREATE TABLE content_state (
  id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL,
  digest TEXT NOT NULL,
  passages INTEGER NOT NULL,
  centroids TEXT NOT NULL,
  ingested_at INTEGER NOT NULL
);

CREATE TABLE documents (
  id INTEGER NOT NULL PRIMARY KEY,
  path TEXT NOT NULL,
  section TEXT NOT NULL,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  tags TEXT NOT NULL,
  published_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  markdown TEXT NOT NULL
);

CREATE INDEX documents_by_path ON documents (path, id);
CREATE INDEX documents_by_section ON documents (section, id);

CREATE TABLE passages (
  id INTEGER NOT NULL PRIMARY KEY,
  document_id INTEGER NOT NULL,
  digest TEXT NOT NULL,
  heading TEXT NOT NULL,
  also TEXT NOT NULL,
  text TEXT NOT NULL
);

CREATE INDEX passages_by_digest ON passages (digest, id);

CREATE VIRTUAL TABLE passages_fts USING fts5 (
  title, heading, text, also,
  content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);

-- The frequency of each stem and its latent vector, as bytes in Base64.
CREATE TABLE content_terms (
  version INTEGER NOT NULL,
  term TEXT NOT NULL,
  passages INTEGER NOT NULL,
  scale REAL NOT NULL,
  vector TEXT NOT NULL,
  PRIMARY KEY (version, term)
) WITHOUT ROWID;

-- Inverted lists: the latent vectors of the passages nearest to each centroid.
CREATE TABLE latent_lists (
  version INTEGER NOT NULL,
  list INTEGER NOT NULL,
  passage_numbers TEXT NOT NULL,
  vectors TEXT NOT NULL,
  PRIMARY KEY (version, list)
) WITHOUT ROWID;

-- Vectors of an embedding model, by the embedded text. Empty if they are stored in Vectorize.
CREATE TABLE passage_vectors (
  model TEXT NOT NULL,
  digest TEXT NOT NULL,
  vector TEXT NOT NULL,
  PRIMARY KEY (model, digest)
) WITHOUT ROWID;
