CREATE TABLE webauthn_credentials (
  -- The credential ID of WebAuthn, base64url.
  id text PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name text NOT NULL,
  -- COSE.
  public_key bytea NOT NULL,
  -- The signature counter; 0 for authenticators that have none.
  counter bigint NOT NULL,
  transports text[] NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3)
);
CREATE INDEX webauthn_credentials_account_id_idx ON webauthn_credentials (account_id);

-- Handed out, not answered yet. SHA-256 of each; answering one deletes it.
CREATE TABLE webauthn_challenges (
  challenge_hash bytea PRIMARY KEY CHECK (octet_length(challenge_hash) = 32),
  purpose text NOT NULL CHECK (purpose IN ('register', 'login', 'mfa', 'sudo')),
  -- Null: a login by passkey, of whoever answers.
  account_id bigint REFERENCES accounts (id) ON DELETE CASCADE,
  -- Nobody's challenges: each takes the place of the one that was handed out 100,000 before it, so
  -- that those who ask without logging in fill no table.
  slot integer UNIQUE,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT webauthn_challenges_somebody_or_slot CHECK ((account_id IS NULL) = (slot IS NOT NULL))
);
CREATE SEQUENCE webauthn_challenge_slots AS integer MINVALUE 0 MAXVALUE 99999 START 0 CYCLE
  OWNED BY webauthn_challenges.slot;
CREATE INDEX webauthn_challenges_account_id_idx ON webauthn_challenges (account_id);
CREATE INDEX webauthn_challenges_expires_at_idx ON webauthn_challenges (expires_at);
