-- Authorization codes and refresh tokens, as SHA-256 of each: the value itself is nowhere. Consuming one deletes it.
-- Whoever issues or revokes tokens of a user for an application takes turns, by an advisory lock on the two
-- (store/grant-lock.ts): a revocation finds what an exchange has issued, or the exchange finds nothing to consume.
CREATE TABLE authorization_codes (
  code_hash bytea PRIMARY KEY CHECK (octet_length(code_hash) = 32),
  application_id bigint NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
  account_id bigint NOT NULL,
  -- In alphabetical order.
  scopes text[] NOT NULL,
  -- The exact string that the exchange must name.
  redirect_uri text NOT NULL,
  code_challenge text,
  code_challenge_method text CHECK (code_challenge_method IN ('S256', 'plain')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK ((code_challenge IS NULL) = (code_challenge_method IS NULL))
);
CREATE INDEX authorization_codes_account_id_idx ON authorization_codes (account_id);
CREATE INDEX authorization_codes_application_id_idx ON authorization_codes (application_id);

CREATE TABLE refresh_tokens (
  id bigint PRIMARY KEY,
  token_hash bytea NOT NULL CHECK (octet_length(token_hash) = 32),
  application_id bigint NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
  account_id bigint NOT NULL,
  -- In alphabetical order.
  scopes text[] NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT refresh_tokens_token_hash_unique UNIQUE (token_hash)
);
CREATE INDEX refresh_tokens_account_id_idx ON refresh_tokens (account_id, application_id);
CREATE INDEX refresh_tokens_application_id_idx ON refresh_tokens (application_id);
