-- Webhooks that operators disabled, and webhooks of suspended accounts: their tokens are refused as wrong ones are
-- (docs/webhooks.md#disabled-webhooks).
ALTER TABLE webhooks
  -- Null: enabled. The other two columns are null then and only then.
  ADD COLUMN disabled_at timestamptz(3),
  -- The operator's name.
  ADD COLUMN disabled_by text,
  ADD COLUMN disabled_reason text;

-- Accounts whose suspension auth has reported, also past ones: a report with a lower version is older.
CREATE TABLE suspended_accounts (
  account_id  bigint   PRIMARY KEY,
  version     bigint   NOT NULL,
  suspended   boolean  NOT NULL
);

-- One row. Its value grows in every transaction that refuses webhooks which were accepted before, so a check that reads a
-- value sees every refusal up to it. Chat refuses messages of older checks.
CREATE TABLE execution_fence (
  id     boolean  PRIMARY KEY DEFAULT true CHECK (id),
  value  bigint   NOT NULL
);
INSERT INTO execution_fence (value) VALUES (1);

-- delivery_counts has all executions from now on: those that posted a message with the outcome posted and an empty reason,
-- and those that the edge turned away with the outcome turned_away. Operators see the noisiest webhooks of the last hours.
