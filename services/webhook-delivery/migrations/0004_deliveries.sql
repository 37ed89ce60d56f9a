-- Executions that posted nothing, and why; nothing of what was sent. Kept for a day, and of each webhook the newest 500
-- (docs/webhooks.md#deliveries).
CREATE TABLE deliveries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  webhook_id bigint NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT now(),
  dialect text NOT NULL,
  event text,
  outcome text NOT NULL,
  reason text NOT NULL
);
CREATE INDEX deliveries_webhook_id_id_idx ON deliveries (webhook_id, id);
CREATE INDEX deliveries_at_idx ON deliveries (at);

-- How many there were in each hour: all of them, not only those that are kept.
CREATE TABLE delivery_counts (
  webhook_id bigint NOT NULL,
  -- Its beginning.
  hour timestamptz(0) NOT NULL,
  dialect text NOT NULL,
  outcome text NOT NULL,
  reason text NOT NULL,
  count integer NOT NULL,
  PRIMARY KEY (webhook_id, hour, dialect, outcome, reason)
);
CREATE INDEX delivery_counts_hour_idx ON delivery_counts (hour);
