-- Indexes of the clean-up, which otherwise reads whole tables (src/adapters/in-portions.ts).
CREATE INDEX sessions_by_end ON sessions (expires_at);
CREATE INDEX passkey_challenges_by_end ON passkey_challenges (expires_at);
CREATE INDEX api_keys_by_end ON api_keys (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX api_keys_by_revocation ON api_keys (revoked_at) WHERE revoked_at IS NOT NULL;
CREATE INDEX admin_acts_by_age ON admin_acts (at);
