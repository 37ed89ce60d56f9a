-- Channels that are gone: what hung on them is still to be ended. A row goes once webhook-delivery has ended the webhooks
-- and the messages are removed.
CREATE TABLE ended_channels (
  channel_id      bigint         PRIMARY KEY,
  ended_at        timestamptz(3) NOT NULL DEFAULT now(),
  webhooks_ended  boolean        NOT NULL DEFAULT false
);
