-- Codes and refresh tokens that were exchanged, as SHA-256 of each, so that a replay is known. Rows are written only while
-- OAUTH2_REVOKE_ON_REPLAY is on, by the statement that consumes.
CREATE TABLE consumed_grants (
  grant_hash bytea PRIMARY KEY CHECK (octet_length(grant_hash) = 32),
  application_id bigint NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
  account_id bigint NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX consumed_grants_account_id_idx ON consumed_grants (account_id, application_id);
CREATE INDEX consumed_grants_application_id_idx ON consumed_grants (application_id);
CREATE INDEX consumed_grants_expires_at_idx ON consumed_grants (expires_at);

-- For the retention job, where codes have a lifetime.
CREATE INDEX authorization_codes_created_at_idx ON authorization_codes (created_at);
