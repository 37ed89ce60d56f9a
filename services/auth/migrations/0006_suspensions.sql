-- A suspension of an account by an operator. Null: not suspended.
ALTER TABLE accounts ADD COLUMN suspended_at timestamptz(3);
ALTER TABLE accounts ADD COLUMN suspended_by text;
ALTER TABLE accounts ADD COLUMN suspension_reason text;
-- Grows with each suspension and restoration; null: there was none. Other services ignore a version that is not newer
-- than the one they know.
ALTER TABLE accounts ADD COLUMN suspension_version bigint;
ALTER TABLE accounts ADD CONSTRAINT accounts_suspension_has_reason
  CHECK ((suspended_at IS NULL) = (suspended_by IS NULL) AND (suspended_at IS NULL) = (suspension_reason IS NULL))
  NOT VALID; -- the next file validates it, without locking out reads

-- Whether the application of the bot is disabled, and the version of that. The token is kept and refused, as with a
-- suspended account. It gets another ID then, by which the trigger writes its end: readers of the event log never see an
-- ended ID again, even when the token is accepted again.
ALTER TABLE bot_tokens ADD COLUMN disabled boolean NOT NULL DEFAULT false;
ALTER TABLE bot_tokens ADD COLUMN disabled_version bigint NOT NULL DEFAULT 0;

-- Suspensions and restorations that a service has not confirmed. They outlive their account.
CREATE TABLE suspension_changes (
  account_id       bigint          NOT NULL,
  service          text            NOT NULL CHECK (service IN ('oauth2', 'webhook-delivery')),
  suspended        boolean         NOT NULL,
  -- That of the account: a later change takes the place of this row.
  version          bigint          NOT NULL,
  changed_at       timestamptz(3)  NOT NULL DEFAULT now(),
  next_attempt_at  timestamptz(3)  NOT NULL,
  PRIMARY KEY (account_id, service)
);
CREATE INDEX suspension_changes_next_attempt_at_idx ON suspension_changes (next_attempt_at);
