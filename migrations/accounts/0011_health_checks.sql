-- The health checks of the last 24 hours: JSON of each part's name, state and milliseconds. Times are milliseconds since the epoch.
CREATE TABLE health_checks (
  minute INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  parts TEXT NOT NULL
);
