-- Live or expired; a revoked one is gone. SHA-256 of each: the token itself is nowhere.
CREATE TABLE access_tokens (
  id bigint PRIMARY KEY,
  token_hash bytea NOT NULL CHECK (octet_length(token_hash) = 32),
  application_id bigint NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
  account_id bigint NOT NULL,
  -- In alphabetical order.
  scopes text[] NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT access_tokens_token_hash_unique UNIQUE (token_hash)
);
CREATE INDEX access_tokens_account_id_idx ON access_tokens (account_id, application_id);
CREATE INDEX access_tokens_application_id_idx ON access_tokens (application_id);
CREATE INDEX access_tokens_expires_at_idx ON access_tokens (expires_at);
