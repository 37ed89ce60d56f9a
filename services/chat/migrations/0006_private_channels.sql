-- DMs and group DMs: channels without a guild, and who is in them.

ALTER TABLE channels
  -- Of a group DM: its opener, or who came after.
  ADD COLUMN owner_id bigint,
  -- Who is in it, in the order in which they came. Who stores a message locks the channel and so has them as they are
  -- at the message's place in the event log.
  ADD COLUMN recipient_ids bigint[] NOT NULL DEFAULT '{}';

-- The same by account.
CREATE TABLE channel_recipients (
  channel_id    bigint NOT NULL REFERENCES channels ON DELETE CASCADE,
  account_id    bigint NOT NULL,
  -- The account has closed the DM; a message with a higher ID opens it again.
  closed_after  bigint,
  PRIMARY KEY (channel_id, account_id)
);
CREATE INDEX channel_recipients_by_account ON channel_recipients (account_id);

-- Two accounts have one DM.
CREATE TABLE direct_channels (
  low_id      bigint NOT NULL,
  high_id     bigint NOT NULL,
  channel_id  bigint NOT NULL REFERENCES channels ON DELETE CASCADE,
  PRIMARY KEY (low_id, high_id),
  CHECK (low_id < high_id)
);
CREATE INDEX direct_channels_by_channel ON direct_channels (channel_id);
