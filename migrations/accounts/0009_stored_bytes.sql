-- The bytes that a key may store per day: 10 GiB, or 2 GiB for a trial key, which is also the limit without a key.
ALTER TABLE api_keys ADD COLUMN bytes_per_day INTEGER NOT NULL DEFAULT 10737418240;
UPDATE api_keys SET bytes_per_day = 2147483648 WHERE kind = 'trial';
