-- When a user's grants to an application were revoked last, for as long as a consent that began before may be in progress:
-- its code is not stored then (store/insert-code.ts). Microseconds, by the database's clock.
CREATE TABLE grant_revocations (
  account_id bigint NOT NULL,
  application_id bigint NOT NULL,
  revoked_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, application_id)
);
CREATE INDEX grant_revocations_expires_at_idx ON grant_revocations (expires_at);

-- A user's codes and tokens of an application, by age: the oldest of too many end.
CREATE INDEX authorization_codes_grant_idx ON authorization_codes (account_id, application_id, created_at);
DROP INDEX authorization_codes_account_id_idx;
CREATE INDEX access_tokens_grant_idx ON access_tokens (account_id, application_id, created_at, id);
DROP INDEX access_tokens_account_id_idx;
CREATE INDEX refresh_tokens_grant_idx ON refresh_tokens (account_id, application_id, created_at, id);
DROP INDEX refresh_tokens_account_id_idx;
