-- How often an address that was never verified got mail to verify it, over all accounts.
CREATE TABLE verification_mails (
  -- SHA-256 of the address in lower case: it may belong to somebody who has no account here.
  address_hash bytea PRIMARY KEY CHECK (octet_length(address_hash) = 32),
  -- Those of the last day, oldest first: never more than the limit.
  mailed_at timestamptz(3)[] NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX verification_mails_expires_at_idx ON verification_mails (expires_at);
