-- The data export of each account that asked for one: the latest, as a ZIP archive in chunks. It ends with the account.
CREATE TABLE data_exports (
  account_id       bigint          PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  status           text            NOT NULL CHECK (status IN ('preparing', 'ready', 'failed')),
  -- Percent.
  progress         integer         NOT NULL DEFAULT 0,
  requested_at     timestamptz(3)  NOT NULL DEFAULT now(),
  -- The client that asked for it, which the mail names.
  ip               text            NOT NULL,
  user_agent       text            NOT NULL,
  ready_at         timestamptz(3),
  expires_at       timestamptz(3),
  -- Bytes of the archive.
  size             bigint,
  -- Each attempt of a replica has its own number, by which only the newest one writes.
  attempts         integer         NOT NULL DEFAULT 0,
  -- Until then the replica that makes it is believed to live; of a failed attempt, when the next one is due.
  next_attempt_at  timestamptz(3)  NOT NULL DEFAULT now()
);
CREATE INDEX data_exports_next_attempt_at_idx ON data_exports (next_attempt_at) WHERE status = 'preparing';
CREATE INDEX data_exports_expires_at_idx ON data_exports (expires_at);

-- The archive, in pieces of at most 512 KiB.
CREATE TABLE data_export_chunks (
  account_id  bigint   NOT NULL REFERENCES data_exports (account_id) ON DELETE CASCADE,
  position    integer  NOT NULL,
  bytes       bytea    NOT NULL,
  PRIMARY KEY (account_id, position)
);
