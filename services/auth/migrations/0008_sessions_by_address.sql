-- Operators find accounts by the address of a session. With the account in the index, a page of them reads the sessions
-- of these accounts alone, however many accounts share the address.
CREATE INDEX sessions_ip_account_id_idx ON sessions (ip, account_id) WHERE ip IS NOT NULL;
DROP INDEX sessions_ip_idx;
