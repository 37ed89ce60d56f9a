-- Accounts that are gone, until oauth2 has ended what it keeps of them.
CREATE TABLE deleted_accounts (
  id bigint PRIMARY KEY,
  deleted_at timestamptz(3) NOT NULL DEFAULT now(),
  next_attempt_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX deleted_accounts_next_attempt_at_idx ON deleted_accounts (next_attempt_at);
