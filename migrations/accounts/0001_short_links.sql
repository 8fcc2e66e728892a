-- Short links (shorten_url). Codes are permanent. Visits are counted in batches and are not exposed over the API.
CREATE TABLE short_links (
  code TEXT NOT NULL PRIMARY KEY,
  url TEXT NOT NULL,
  visits INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;
