-- Short links (shorten_url). A code is for ever; visits are counted in batches and never read through the API.
CREATE TABLE short_links (
  code TEXT NOT NULL PRIMARY KEY,
  url TEXT NOT NULL,
  visits INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;
