-- Not in the file before: its lock on the table would make reads wait until the indexes are built.
ALTER TABLE applications VALIDATE CONSTRAINT applications_disabled;

-- The look-up of a token asks whether its application is here. It is nearly empty, and the row is not read.
CREATE INDEX applications_disabled_idx ON applications (id) WHERE disabled_at IS NOT NULL;

-- For operators: applications by the start of their name, and client secrets by their fingerprint.
CREATE INDEX applications_name_idx ON applications (lower(name) text_pattern_ops);
CREATE INDEX applications_client_secret_hash_idx ON applications (client_secret_hash);
CREATE INDEX applications_second_secret_hash_idx ON applications (second_secret_hash)
  WHERE second_secret_hash IS NOT NULL;
