-- Applications that an operator has disabled, and accounts that auth has suspended. The statements that look up clients,
-- codes and tokens read both.
ALTER TABLE applications
  -- Null: enabled.
  ADD COLUMN disabled_at       timestamptz(3),
  ADD COLUMN disabled_by       text,
  ADD COLUMN disabled_reason   text,
  -- Of the last change of disabled_at, for auth, which ignores older ones. Microseconds since the Unix epoch: a database
  -- that comes back from a backup must not be behind.
  ADD COLUMN disabled_version  bigint NOT NULL DEFAULT 0,
  ADD CONSTRAINT applications_disabled
    CHECK ((disabled_at IS NULL) = (disabled_by IS NULL) AND (disabled_at IS NULL) = (disabled_reason IS NULL))
    NOT VALID; -- the next file validates it, without locking out reads

-- Changes of disabled_at that auth has not received yet: it refuses the token of the application's bot. A row has the last
-- change of its application, and ends with it.
CREATE TABLE bot_disablements (
  application_id   bigint          PRIMARY KEY REFERENCES applications (id) ON DELETE CASCADE,
  disabled         boolean         NOT NULL,
  version          bigint          NOT NULL,
  changed_at       timestamptz(3)  NOT NULL DEFAULT now(),
  next_attempt_at  timestamptz(3)  NOT NULL
);
CREATE INDEX bot_disablements_next_attempt_at_idx ON bot_disablements (next_attempt_at);

-- Accounts that are suspended, or were: the version refuses an older change that arrives late. A row ends with its account.
CREATE TABLE suspended_accounts (
  account_id  bigint   PRIMARY KEY,
  -- Of the last change, by auth.
  version     bigint   NOT NULL,
  suspended   boolean  NOT NULL
);
