-- Not in the file before: its lock on the table would make reads wait until the indexes are built.
ALTER TABLE accounts VALIDATE CONSTRAINT accounts_suspension_has_reason;
-- Few accounts are suspended: the look-up of a bot token reads this index and no row of an account.
CREATE INDEX accounts_suspended_idx ON accounts (id) WHERE suspended_at IS NOT NULL;

-- Operators find accounts by the start of a user name, and by the address of a session. That address never changes, so
-- writing `last_used_at` still writes no index.
CREATE INDEX accounts_username_prefix_idx ON accounts (username_key text_pattern_ops);
CREATE INDEX sessions_ip_idx ON sessions (ip) WHERE ip IS NOT NULL;
