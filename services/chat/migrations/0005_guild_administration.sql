-- What members of a guild can change: member profiles, invites, and the audit log. Every transaction that changes a
-- guild locks its row first (store/guild-lock.ts), so that limits hold and rights are judged as they are.

-- Counted by whoever adds or removes a member: counting a large guild at each look would be slow.
ALTER TABLE guilds ADD COLUMN member_count integer NOT NULL DEFAULT 0;
UPDATE guilds SET member_count = (SELECT count(*) FROM members WHERE members.guild_id = guilds.id);

-- Pictures are hashes.
ALTER TABLE members
  ADD COLUMN nick text,
  ADD COLUMN avatar text,
  ADD COLUMN banner text,
  ADD COLUMN bio text,
  ADD COLUMN pronouns text,
  ADD COLUMN accent_color integer,
  -- Who installed a bot.
  ADD COLUMN inviter_id bigint;

CREATE TABLE invites (
  code        text        PRIMARY KEY,
  guild_id    bigint      NOT NULL REFERENCES guilds ON DELETE CASCADE,
  channel_id  bigint      NOT NULL REFERENCES channels ON DELETE CASCADE,
  inviter_id  bigint      NOT NULL,
  uses        integer     NOT NULL DEFAULT 0,
  -- 0: without end.
  max_uses    integer     NOT NULL,
  -- Seconds; 0: without end.
  max_age     integer     NOT NULL,
  created_at  timestamptz(3) NOT NULL DEFAULT now(),
  expires_at  timestamptz(3)
);
CREATE INDEX invites_by_guild ON invites (guild_id);
CREATE INDEX invites_by_channel ON invites (channel_id);
CREATE INDEX invites_expires_at_idx ON invites (expires_at) WHERE expires_at IS NOT NULL;

-- What was changed in a guild, by whom: written in the transaction of the change.
CREATE TABLE audit_log_entries (
  guild_id     bigint   NOT NULL REFERENCES guilds ON DELETE CASCADE,
  id           bigint   NOT NULL,
  action_type  smallint NOT NULL,
  user_id      bigint   NOT NULL,
  target_id    bigint,
  reason       text,
  options      jsonb,
  -- [{key, old_value?, new_value?}], changed fields only.
  changes      jsonb    NOT NULL,
  PRIMARY KEY (guild_id, id)
);
CREATE INDEX audit_log_entries_by_user ON audit_log_entries (guild_id, user_id, id);
CREATE INDEX audit_log_entries_by_action ON audit_log_entries (guild_id, action_type, id);
