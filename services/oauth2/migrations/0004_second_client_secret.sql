-- An application that is no public client has one client secret or two, so that a new one can be deployed before the
-- old one ends. Both are columns of the application's row: one row lock decides about both, and no statement of the
-- token routes reads another table. The first one is the older.
ALTER TABLE applications
  -- Null for a secret of an earlier version; its ID is the application's.
  ADD COLUMN client_secret_id          bigint,
  -- The last four characters; null for a secret of an earlier version, as the time of its creation.
  ADD COLUMN client_secret_hint        text,
  ADD COLUMN client_secret_created_at  timestamptz(3),
  -- Written at most once a minute, some seconds late.
  ADD COLUMN client_secret_used_at     timestamptz(3),
  ADD COLUMN second_secret_hash        bytea,
  ADD COLUMN second_secret_id          bigint,
  ADD COLUMN second_secret_hint        text,
  ADD COLUMN second_secret_created_at  timestamptz(3),
  ADD COLUMN second_secret_used_at     timestamptz(3),
  ADD CONSTRAINT applications_second_secret_hash CHECK (octet_length(second_secret_hash) = 32);
