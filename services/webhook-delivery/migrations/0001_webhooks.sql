-- Pictures by their content, one row however many webhooks and messages show them. They are kept when
-- a webhook goes: messages that it posted still name them.
CREATE TABLE avatars (
  -- 32 hex digits, behind "a_" when animated.
  hash text PRIMARY KEY,
  content_type text NOT NULL,
  bytes bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
-- Pictures are compressed as they are.
ALTER TABLE avatars ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE webhooks (
  id bigint PRIMARY KEY,
  guild_id bigint NOT NULL,
  channel_id bigint NOT NULL,
  name text NOT NULL,
  avatar text REFERENCES avatars (hash),
  -- Readable, unlike other secrets: every answer that holds a webhook holds its token, for as long as
  -- the webhook lives (specification 2), so a digest alone would not do.
  token text NOT NULL,
  creator_id bigint NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX webhooks_guild_id_idx ON webhooks (guild_id);
CREATE INDEX webhooks_channel_id_idx ON webhooks (channel_id);
