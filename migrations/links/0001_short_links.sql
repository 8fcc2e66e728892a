-- Short links (shorten_url). Codes are permanent. Visits are counted in batches and are not exposed over the API. Times
-- are milliseconds since the epoch. `maker` is a keyed hash of an account or an address (src/access/makers.ts), deleted
-- after 90 days. `removed` and `warned` are a reason of src/core/moderation.ts.
CREATE TABLE short_links (
  code TEXT NOT NULL PRIMARY KEY,
  url TEXT NOT NULL,
  visits INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  maker TEXT,
  removed TEXT,
  warned TEXT
) WITHOUT ROWID;

CREATE INDEX short_links_with_maker ON short_links (created_at, maker) WHERE maker IS NOT NULL;
