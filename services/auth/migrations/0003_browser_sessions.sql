-- The live sign-in cookies of sessions (docs/credentials.md#sign-in-cookie). They end with their session.
CREATE TABLE browser_sessions (
  -- SHA-256 of the secret in the cookie; the secret itself is nowhere.
  secret_hash     bytea           PRIMARY KEY CHECK (octet_length(secret_hash) = 32),
  session_id      bigint          NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  -- The session's token, sealed with a key that is made from the secret.
  sealed_token    bytea           NOT NULL,
  -- Whether the browser keeps the cookie when it is closed.
  stay_signed_in  boolean         NOT NULL,
  created_at      timestamptz(3)  NOT NULL DEFAULT now(),
  -- Each resumption moves it.
  expires_at      timestamptz(3)  NOT NULL
);
CREATE INDEX browser_sessions_session_id_idx ON browser_sessions (session_id);
CREATE INDEX browser_sessions_expires_at_idx ON browser_sessions (expires_at);
