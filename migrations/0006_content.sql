-- What the service says of itself, and what finds it. A version is written beside the one that answers, then named in
-- content_state, then the old one is deleted. Ids carry the version: version × 2^24 + number within it, so that a
-- version is one range of ids everywhere, in the full-text index too.
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

-- How often a stem occurs, and where it lies in the latent space; vectors are bytes in Base64.
CREATE TABLE content_terms (
  version INTEGER NOT NULL,
  term TEXT NOT NULL,
  passages INTEGER NOT NULL,
  scale REAL NOT NULL,
  vector TEXT NOT NULL,
  PRIMARY KEY (version, term)
) WITHOUT ROWID;

-- Inverted lists: the latent vectors of the passages that lie nearest to one centroid.
CREATE TABLE latent_lists (
  version INTEGER NOT NULL,
  list INTEGER NOT NULL,
  passage_numbers TEXT NOT NULL,
  vectors TEXT NOT NULL,
  PRIMARY KEY (version, list)
) WITHOUT ROWID;

-- Vectors of an embedding model, by what was embedded; empty where they are kept elsewhere (Vectorize).
CREATE TABLE passage_vectors (
  model TEXT NOT NULL,
  digest TEXT NOT NULL,
  vector TEXT NOT NULL,
  PRIMARY KEY (model, digest)
) WITHOUT ROWID;
