-- The latest posts to webhooks of an account's jobs, newest first, one JSON object per line.
ALTER TABLE accounts ADD COLUMN webhook_attempts TEXT;
