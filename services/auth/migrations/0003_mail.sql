-- What was mailed to somebody to prove that the mailbox is theirs. SHA-256 of each; the token itself
-- is nowhere but in the mail.
CREATE TABLE mail_tokens (
  token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
  purpose text NOT NULL CHECK (purpose IN ('verify_email', 'reset_password')),
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- The address it went to, in lower case: once the account has another, the token is void.
  email_key text NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX mail_tokens_account_id_idx ON mail_tokens (account_id, purpose);
CREATE INDEX mail_tokens_expires_at_idx ON mail_tokens (expires_at);

-- The outbox: mail that is not sent yet, written with what it tells of.
CREATE TABLE mails (
  id bigint PRIMARY KEY,
  -- Sealed: recipient, template and values, tokens among them.
  letter bytea NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Past this nobody needs it any more.
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX mails_next_attempt_at_idx ON mails (next_attempt_at);
CREATE INDEX mails_expires_at_idx ON mails (expires_at);
