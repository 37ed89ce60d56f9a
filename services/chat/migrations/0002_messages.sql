-- A message is an account's (author_id) or a webhook's (webhook_id, with the name and avatar it was
-- posted under: they outlive the webhook).
--
-- The key begins with the channel because every route names one; it serves the lists and the last
-- message too, so that a message costs one index. There is no foreign key to channels: the storing
-- statement itself takes the channel's key lock, once a batch instead of once a row, so that a
-- channel is not deleted under it.
CREATE TABLE messages (
  channel_id        bigint   NOT NULL,
  id                bigint   NOT NULL,
  author_id         bigint,
  webhook_id        bigint,
  webhook_name      text,
  webhook_avatar    text,
  type              smallint NOT NULL,
  flags             integer  NOT NULL,
  content           text     NOT NULL,
  embeds            jsonb    NOT NULL,
  mention_ids       bigint[] NOT NULL,
  mention_role_ids  bigint[] NOT NULL,
  mention_everyone  boolean  NOT NULL,
  pinned            boolean  NOT NULL DEFAULT false,
  edited_at         timestamptz,
  PRIMARY KEY (channel_id, id),
  CHECK (num_nonnulls(author_id, webhook_id) = 1),
  CHECK ((webhook_id IS NULL) = (webhook_name IS NULL))
);

-- For 24 hours a webhook posts one message for a key. The claim is made by the statement that stores
-- the message: of simultaneous claimants the others wait for its commit, and a failure leaves the
-- key free. A key may be of any length; its SHA-256 is stored.
CREATE TABLE deduplication_claims (
  webhook_id  bigint      NOT NULL,
  key_sha256  bytea       NOT NULL,
  message_id  bigint      NOT NULL,
  claimed_at  timestamptz NOT NULL,
  PRIMARY KEY (webhook_id, key_sha256)
);
