-- Changes of webhooks that chat has not been told of: its audit log and its event log show them. A row is written in
-- the transaction of the change, and goes when chat has answered.
CREATE TABLE webhook_changes (
  id bigint PRIMARY KEY,
  -- The request that chat gets.
  change jsonb NOT NULL,
  next_attempt_at timestamptz NOT NULL
);
CREATE INDEX webhook_changes_next_attempt_at_idx ON webhook_changes (next_attempt_at);

-- Counts the changes of a webhook: chat shows the latest, in whatever order it is told.
ALTER TABLE webhooks ADD COLUMN revision integer NOT NULL DEFAULT 1;
