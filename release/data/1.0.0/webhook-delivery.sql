-- 0001_baseline.sql

-- Webhooks, and the executions that posted nothing.

-- ## Webhooks

-- Incoming webhooks, by their IDs.
CREATE TABLE webhooks (
  id          bigint          PRIMARY KEY,
  guild_id    bigint          NOT NULL,
  channel_id  bigint          NOT NULL,
  name        text            NOT NULL,
  -- The hash of a picture, which media has.
  avatar      text,
  -- Readable, unlike other secrets: every answer that holds a webhook holds its token, for as long as the webhook
  -- lives, so a digest alone would not do (docs/webhooks.md#token).
  token       text            NOT NULL,
  creator_id  bigint          NOT NULL,
  created_at  timestamptz(3)  NOT NULL DEFAULT now(),
  -- Counts the changes of a webhook: chat shows the latest, in whatever order it is told.
  revision    integer         NOT NULL DEFAULT 1
);
CREATE INDEX webhooks_guild_id_idx ON webhooks (guild_id);
CREATE INDEX webhooks_channel_id_idx ON webhooks (channel_id);
-- Finds the pictures that webhooks have.
CREATE INDEX webhooks_avatar_idx ON webhooks (avatar) WHERE avatar IS NOT NULL;

-- Changes of webhooks that chat has not been told of: its audit log and its event log show them. A row is written in
-- the transaction of the change, and goes when chat has answered.
CREATE TABLE webhook_changes (
  id               bigint       PRIMARY KEY,
  -- The request that chat gets.
  change           jsonb        NOT NULL,
  next_attempt_at  timestamptz  NOT NULL
);
CREATE INDEX webhook_changes_next_attempt_at_idx ON webhook_changes (next_attempt_at);

-- ## Deliveries

-- Executions that posted nothing, and why; nothing of what was sent. Kept for a day, and of each webhook the newest
-- 500 (docs/webhooks.md#deliveries).
CREATE TABLE deliveries (
  id          bigint          GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  webhook_id  bigint          NOT NULL,
  at          timestamptz(3)  NOT NULL DEFAULT now(),
  dialect     text            NOT NULL,
  event       text,
  outcome     text            NOT NULL,
  reason      text            NOT NULL
);
CREATE INDEX deliveries_webhook_id_id_idx ON deliveries (webhook_id, id);
CREATE INDEX deliveries_at_idx ON deliveries (at);

-- How many there were in each hour: all of them, not only those that are kept.
CREATE TABLE delivery_counts (
  webhook_id  bigint          NOT NULL,
  -- Its beginning.
  hour        timestamptz(0)  NOT NULL,
  dialect     text            NOT NULL,
  outcome     text            NOT NULL,
  reason      text            NOT NULL,
  count       integer         NOT NULL,
  PRIMARY KEY (webhook_id, hour, dialect, outcome, reason)
);
CREATE INDEX delivery_counts_hour_idx ON delivery_counts (hour);

-- ## IDs

-- The worker IDs of the replicas that make IDs. A row stays when its lease has ended: the next holder makes no IDs of
-- times up to ids_until_ms.
CREATE TABLE worker_leases (
  worker_id     integer      PRIMARY KEY,
  holder        uuid         NOT NULL,
  leased_until  timestamptz  NOT NULL,
  -- Milliseconds since the Unix epoch.
  ids_until_ms  bigint       NOT NULL
);

CREATE TABLE IF NOT EXISTS schema_migration (
  name text PRIMARY KEY,
  checksum text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now()
);

-- Data

TRUNCATE deliveries, delivery_counts, schema_migration, webhook_changes, webhooks, worker_leases;

INSERT INTO schema_migration ("name", "checksum", "applied_at") OVERRIDING SYSTEM VALUE VALUES
  ('0001_baseline.sql', '0198aa808d49df4291118ffdb4aedae565c86064d5792354bcc8212ba2d7b950', '2026-11-27 10:17:53.257664+00');

INSERT INTO webhooks ("id", "guild_id", "channel_id", "name", "avatar", "token", "creator_id", "created_at", "revision") OVERRIDING SYSTEM VALUE VALUES
  ('1575817949006737408', '1575817947754352640', '1575817947758546944', 'Deploys', NULL, '9B5ZXKbCzRoPgBFEeUDr1CvdbL7ficxhfBVQdSQgxfSUO22VC9yHLILZrTaKRmXP', '1575817943798710272', '2026-11-27 10:17:56.325+00', '1');

INSERT INTO worker_leases ("worker_id", "holder", "leased_until", "ids_until_ms") OVERRIDING SYSTEM VALUE VALUES
  ('947', '7b124d01-c9bc-4974-aa6e-f0a5d62d2090', '2026-11-27 10:17:56.790436+00', '1795774676350');

