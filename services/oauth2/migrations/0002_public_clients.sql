-- An application without a client secret is a public client (RFC 6749 §2.1): it has nowhere to keep one.
ALTER TABLE applications ALTER COLUMN client_secret_hash DROP NOT NULL;
