CREATE TABLE totp_factors (
  account_id bigint PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  -- Base32, sealed.
  secret bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

-- The 30-second steps whose codes were used: once, also when the same secret is turned off and on again.
CREATE TABLE totp_used_steps (
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- HMAC of the secret.
  secret_mac bytea NOT NULL CHECK (octet_length(secret_mac) = 32),
  step bigint NOT NULL,
  -- Forgotten an hour later, when nobody accepts the step any more.
  expires_at timestamptz(3) NOT NULL DEFAULT now() + interval '1 hour',
  PRIMARY KEY (account_id, secret_mac, step)
);
CREATE INDEX totp_used_steps_expires_at_idx ON totp_used_steps (expires_at);

CREATE TABLE backup_codes (
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- HMAC of the code, by which it is found.
  code_mac bytea NOT NULL CHECK (octet_length(code_mac) = 32),
  -- The code, sealed: its owner may look at it again.
  code bytea NOT NULL,
  position integer NOT NULL,
  consumed_at timestamptz(3),
  PRIMARY KEY (account_id, code_mac)
);

-- A login whose password is proven and whose second factor is not.
CREATE TABLE mfa_tickets (
  ticket_hash bytea PRIMARY KEY CHECK (octet_length(ticket_hash) = 32),
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- Codes offered so far.
  attempts integer NOT NULL DEFAULT 0,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX mfa_tickets_account_id_idx ON mfa_tickets (account_id);
CREATE INDEX mfa_tickets_expires_at_idx ON mfa_tickets (expires_at);

CREATE TABLE sudo_grants (
  session_id bigint PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX sudo_grants_expires_at_idx ON sudo_grants (expires_at);
