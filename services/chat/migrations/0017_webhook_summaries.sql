-- What the audit log shows of webhooks, which are webhook-delivery's. They stay when a webhook ends: its entries do too.
CREATE TABLE webhook_summaries (
  id bigint PRIMARY KEY,
  guild_id bigint NOT NULL REFERENCES guilds ON DELETE CASCADE,
  channel_id bigint NOT NULL,
  name text NOT NULL,
  avatar text,
  -- The webhook's, counted from 1: of changes that arrive out of order the latest is shown.
  revision integer NOT NULL,
  -- Those before it that have not arrived: so each change is recorded once, however often it arrives.
  missing_revisions integer[] NOT NULL
);
CREATE INDEX webhook_summaries_by_guild ON webhook_summaries (guild_id);
