-- How often each part was checked on each day (UTC, YYYY-MM-DD), and how often it was degraded or down. Kept for 90 days.
CREATE TABLE health_days (
  day TEXT NOT NULL,
  part TEXT NOT NULL,
  checks INTEGER NOT NULL,
  degraded INTEGER NOT NULL,
  down INTEGER NOT NULL,
  PRIMARY KEY (day, part)
) WITHOUT ROWID;
