-- Wrong second factors of logins, over all tickets and addresses: a row an account that had one within the hour.
CREATE TABLE mfa_failures (
  account_id bigint PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  -- The latest, newest first: never more than the budget.
  failed_at timestamptz(3)[] NOT NULL,
  -- Until then no second factor is judged.
  held_until timestamptz(3),
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX mfa_failures_expires_at_idx ON mfa_failures (expires_at);
