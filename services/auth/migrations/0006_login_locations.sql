-- Where an account was registered or logged in from: an IPv4 address or an IPv6 /64, as text.
CREATE TABLE login_locations (
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  network text NOT NULL,
  last_login_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, network)
);

-- A login whose password is proven and that waits for its mail to be answered.
CREATE TABLE held_logins (
  ticket_hash bytea PRIMARY KEY CHECK (octet_length(ticket_hash) = 32),
  -- Of the token in the mail; a new mail has a new one, and both are good.
  token_hashes bytea[] NOT NULL,
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  network text NOT NULL,
  -- The client that logs in, which every mail names.
  ip text NOT NULL,
  user_agent text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  resent_at timestamptz(3),
  authorized_at timestamptz(3),
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX held_logins_token_hashes_idx ON held_logins USING gin (token_hashes);
CREATE INDEX held_logins_account_id_idx ON held_logins (account_id);
CREATE INDEX held_logins_expires_at_idx ON held_logins (expires_at);
