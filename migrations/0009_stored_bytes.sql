-- What a key may store in a day, in bytes: 10 GiB, and 2 GiB for a trial key, as without a key.
ALTER TABLE api_keys ADD COLUMN bytes_per_day INTEGER NOT NULL DEFAULT 10737418240;
UPDATE api_keys SET bytes_per_day = 2147483648 WHERE kind = 'trial';
