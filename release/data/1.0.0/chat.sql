-- 0001_baseline.sql

-- Guilds, who is in them, what they may do, and where they talk; and the event log.
--
-- IDs are snowflakes; the time of an ID is when its row was made. Accounts are auth's and webhooks
-- webhook-delivery's: their IDs have no foreign key here.

-- ## Guilds

-- Guilds. Every transaction that changes a guild locks its row first (src/store/guild-lock.ts), so that limits hold
-- and rights are judged as they are.
CREATE TABLE guilds (
  id            bigint   PRIMARY KEY,
  name          text     NOT NULL,
  -- The hash of a picture, which media has.
  icon          text,
  owner_id      bigint   NOT NULL,
  features      text[]   NOT NULL DEFAULT '{}',
  -- Counted by the statements that add or remove a member: counting a large guild at each look would be slow.
  member_count  integer  NOT NULL DEFAULT 0,
  -- Counts the changes of a guild and of all that is in it but messages, so that rights that were judged by one
  -- revision are judged anew where there is another. It is raised by the lock that every change of the guild takes.
  revision      bigint   NOT NULL DEFAULT 0
);

-- The roles of a guild. The role whose ID is the guild's is @everyone: every member holds it without a row in
-- member_roles.
CREATE TABLE roles (
  id           bigint   PRIMARY KEY,
  guild_id     bigint   NOT NULL REFERENCES guilds ON DELETE CASCADE,
  name         text     NOT NULL,
  color        integer  NOT NULL DEFAULT 0,
  position     integer  NOT NULL DEFAULT 0,
  hoist        boolean  NOT NULL DEFAULT false,
  mentionable  boolean  NOT NULL DEFAULT false,
  permissions  bigint   NOT NULL DEFAULT 0
);
CREATE INDEX roles_by_guild ON roles (guild_id);

-- Who is in a guild, with the profile there.
CREATE TABLE members (
  guild_id      bigint       NOT NULL REFERENCES guilds ON DELETE CASCADE,
  account_id    bigint       NOT NULL,
  joined_at     timestamptz  NOT NULL DEFAULT now(),
  nick          text,
  -- Hashes of pictures, which media has.
  avatar        text,
  banner        text,
  bio           text,
  pronouns      text,
  accent_color  integer,
  -- Who installed a bot.
  inviter_id    bigint,
  PRIMARY KEY (guild_id, account_id)
);
-- Lists of an account's guilds go by ID.
CREATE INDEX members_by_account_and_guild ON members (account_id, guild_id);

-- Which member holds which role.
CREATE TABLE member_roles (
  guild_id    bigint  NOT NULL,
  account_id  bigint  NOT NULL,
  role_id     bigint  NOT NULL REFERENCES roles ON DELETE CASCADE,
  PRIMARY KEY (guild_id, account_id, role_id),
  FOREIGN KEY (guild_id, account_id) REFERENCES members ON DELETE CASCADE
);
CREATE INDEX member_roles_by_role ON member_roles (role_id);

-- ## Channels

-- Channels of guilds, DMs and group DMs. A channel's last message is not kept here: it is the highest ID in
-- `messages`, and a column would make every writer of a busy channel wait for the one before.
CREATE TABLE channels (
  id                   bigint    PRIMARY KEY,
  -- Null: a private channel.
  guild_id             bigint    REFERENCES guilds ON DELETE CASCADE,
  -- 0 guild text, 1 DM, 2 guild voice, 3 group DM, 4 category.
  type                 smallint  NOT NULL CHECK (type BETWEEN 0 AND 4),
  name                 text,
  topic                text,
  position             integer   NOT NULL DEFAULT 0,
  parent_id            bigint    REFERENCES channels ON DELETE SET NULL,
  rate_limit_per_user  integer   NOT NULL DEFAULT 0,
  -- Of a group DM: its opener, or who came after.
  owner_id             bigint,
  -- The accounts in a private channel, in the order in which they came. The statement that stores a message locks the
  -- channel and so has them as they are at the message's place in the event log.
  recipient_ids        bigint[]  NOT NULL DEFAULT '{}',
  CHECK ((guild_id IS NULL) = (type IN (1, 3)))
);
CREATE INDEX channels_by_guild ON channels (guild_id);
CREATE INDEX channels_by_parent ON channels (parent_id) WHERE parent_id IS NOT NULL;

-- What a role or a member may do in one channel beyond or short of what the guild gives them.
CREATE TABLE permission_overwrites (
  channel_id  bigint    NOT NULL REFERENCES channels ON DELETE CASCADE,
  -- A role's (type 0) or an account's (type 1).
  id          bigint    NOT NULL,
  type        smallint  NOT NULL CHECK (type IN (0, 1)),
  allow       bigint    NOT NULL DEFAULT 0,
  deny        bigint    NOT NULL DEFAULT 0,
  PRIMARY KEY (channel_id, id)
);

-- Who is in a private channel: `recipient_ids` by account.
CREATE TABLE channel_recipients (
  channel_id  bigint   NOT NULL REFERENCES channels ON DELETE CASCADE,
  account_id  bigint   NOT NULL,
  -- The DM is closed for the account until an event opens it again. A message alone does not: one may be posted just
  -- while the account closes the DM, and readers of the event log would not know that it is open.
  closed      boolean  NOT NULL DEFAULT false,
  PRIMARY KEY (channel_id, account_id)
);
CREATE INDEX channel_recipients_by_account ON channel_recipients (account_id);

-- The DM of two accounts: they have one.
CREATE TABLE direct_channels (
  low_id      bigint  NOT NULL,
  high_id     bigint  NOT NULL,
  channel_id  bigint  NOT NULL REFERENCES channels ON DELETE CASCADE,
  PRIMARY KEY (low_id, high_id),
  CHECK (low_id < high_id)
);
CREATE INDEX direct_channels_by_channel ON direct_channels (channel_id);

-- ## Messages

-- Messages. Each is an account's (author_id) or a webhook's (webhook_id, with the name and avatar it was posted
-- under: they outlive the webhook).
--
-- The key begins with the channel because every route names one; it serves the lists and the last message too, so
-- that a message costs one index. There is no foreign key to channels: the storing statement itself takes the
-- channel's key lock, once a batch instead of once a row, so that a channel is not deleted under it.
CREATE TABLE messages (
  channel_id        bigint    NOT NULL,
  id                bigint    NOT NULL,
  author_id         bigint,
  webhook_id        bigint,
  webhook_name      text,
  webhook_avatar    text,
  type              smallint  NOT NULL,
  flags             integer   NOT NULL,
  content           text      NOT NULL,
  embeds            jsonb     NOT NULL,
  mention_ids       bigint[]  NOT NULL,
  mention_role_ids  bigint[]  NOT NULL,
  mention_everyone  boolean   NOT NULL,
  pinned            boolean   NOT NULL DEFAULT false,
  edited_at         timestamptz,
  PRIMARY KEY (channel_id, id),
  CHECK (num_nonnulls(author_id, webhook_id) = 1),
  CHECK ((webhook_id IS NULL) = (webhook_name IS NULL))
);
-- Finds the pictures of webhooks that messages show: webhook-delivery asks before a picture is removed.
CREATE INDEX messages_webhook_avatar_idx ON messages (webhook_avatar) WHERE webhook_avatar IS NOT NULL;

-- The deduplication keys of webhooks: for 24 hours a webhook posts one message for a key. The claim is made by the
-- statement that stores the message: of simultaneous claimants the others wait for its commit, and a failure leaves
-- the key free.
CREATE TABLE deduplication_claims (
  webhook_id  bigint       NOT NULL,
  -- A key may be of any length.
  key_sha256  bytea        NOT NULL,
  message_id  bigint       NOT NULL,
  claimed_at  timestamptz  NOT NULL,
  PRIMARY KEY (webhook_id, key_sha256)
);
-- For the retention job.
CREATE INDEX deduplication_claims_claimed_at_idx ON deduplication_claims (claimed_at);

-- ## Invites

-- Invites to guilds, by their codes.
CREATE TABLE invites (
  code        text            PRIMARY KEY,
  guild_id    bigint          NOT NULL REFERENCES guilds ON DELETE CASCADE,
  channel_id  bigint          NOT NULL REFERENCES channels ON DELETE CASCADE,
  inviter_id  bigint          NOT NULL,
  uses        integer         NOT NULL DEFAULT 0,
  -- 0: without end.
  max_uses    integer         NOT NULL,
  -- Seconds; 0: without end.
  max_age     integer         NOT NULL,
  created_at  timestamptz(3)  NOT NULL DEFAULT now(),
  expires_at  timestamptz(3)
);
CREATE INDEX invites_by_guild ON invites (guild_id);
CREATE INDEX invites_by_channel ON invites (channel_id);
-- For the retention job: the invites that have expired, and those that have been used as often as they may be.
CREATE INDEX invites_expires_at_idx ON invites (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX invites_used_up_idx ON invites (code) WHERE max_uses > 0 AND uses >= max_uses;

-- ## The audit log

-- What was changed in a guild, by whom: written in the transaction of the change.
CREATE TABLE audit_log_entries (
  guild_id     bigint    NOT NULL REFERENCES guilds ON DELETE CASCADE,
  id           bigint    NOT NULL,
  action_type  smallint  NOT NULL,
  user_id      bigint    NOT NULL,
  target_id    bigint,
  reason       text,
  options      jsonb,
  -- [{key, old_value?, new_value?}], changed fields only.
  changes      jsonb     NOT NULL,
  PRIMARY KEY (guild_id, id)
);
CREATE INDEX audit_log_entries_by_user ON audit_log_entries (guild_id, user_id, id);
CREATE INDEX audit_log_entries_by_action ON audit_log_entries (guild_id, action_type, id);
-- Both filters together: without it, a page of what one account did of one kind could read through all that the
-- account did and all of that kind.
CREATE INDEX audit_log_entries_by_user_and_action ON audit_log_entries (guild_id, user_id, action_type, id);
-- An entry's ID has its time in milliseconds: the retention job finds those that are too old by it, whatever guild
-- they are of. It is no index of the IDs themselves: a page of one guild's entries would be sought in the entries of
-- all.
CREATE INDEX audit_log_entries_by_time ON audit_log_entries ((id >> 22));

-- What the audit log shows of webhooks, which are webhook-delivery's. They stay when a webhook ends: its entries do
-- too.
CREATE TABLE webhook_summaries (
  id                 bigint     PRIMARY KEY,
  guild_id           bigint     NOT NULL REFERENCES guilds ON DELETE CASCADE,
  channel_id         bigint     NOT NULL,
  name               text       NOT NULL,
  avatar             text,
  -- The webhook's, counted from 1: of changes that arrive out of order the latest is shown.
  revision           integer    NOT NULL,
  -- Those before it that have not arrived: so each change is recorded once, however often it arrives.
  missing_revisions  integer[]  NOT NULL
);
CREATE INDEX webhook_summaries_by_guild ON webhook_summaries (guild_id);

-- ## The event log

-- What sessions are to be told (docs/events.md). A row is written in the transaction that causes it, so no event is
-- lost between commit and publishing, and none tells of what was rolled back.
--
-- How to read it without skipping a row: `id` is drawn before the commit, so a row may become visible after rows with
-- higher IDs were read; "id > the last one seen" loses it. A reader's cursor is therefore a snapshot
-- (pg_current_snapshot()). The rows that are new since snapshot `s`, as seen by the reader's own snapshot, are
-- exactly
--
--   SELECT … FROM events
--   WHERE xact_id >= pg_snapshot_xmin(s) AND NOT pg_visible_in_snapshot(xact_id, s)
--   ORDER BY id
--
-- with the cursor for the next turn, pg_current_snapshot(), taken in the same statement. No row is read twice or
-- skipped, however late its transaction commits, and a long transaction elsewhere holds nothing up. A transaction
-- that begins after a commit draws a higher `id`, so the order within a turn is right too. A transaction ID means
-- nothing to another server: leave this table out when a dump moves.
CREATE TABLE events (
  id           bigint       GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  xact_id      xid8         NOT NULL DEFAULT pg_current_xact_id(),
  type         text         NOT NULL,
  -- Whose sessions are told: of these accounts alone; or, where it is null, of those that can view the channel; or of
  -- the guild.
  account_ids  bigint[],
  channel_id   bigint,
  guild_id     bigint,
  -- What happened, IDs as strings. For a message: the stored message as it was then, in the form of MessageRow
  -- (client/src/rows.ts), whose users are looked up when it is shown.
  payload      jsonb        NOT NULL,
  -- A guild as it is at the place of a GUILD_CREATE, in the form of GuildRows (src/store/guild-states.ts). Readers
  -- get it only when they ask for the event by its ID.
  state        jsonb,
  created_at   timestamptz  NOT NULL DEFAULT now()
);
-- The log is read along this index where a reader is near its end, and otherwise by IDs (src/store/event-log.ts).
CREATE INDEX events_by_xact_and_id ON events (xact_id, id);

-- The one row says what has left the log: the highest transaction of a removed event, and the highest ID of one. It
-- is written by the statement that removes, so a reader that may have missed an event sees it.
CREATE TABLE event_log_horizon (
  singleton  boolean  PRIMARY KEY DEFAULT true CHECK (singleton),
  xact_id    xid8     NOT NULL,
  event_id   bigint   NOT NULL
);
INSERT INTO event_log_horizon (xact_id, event_id) VALUES ('0', 0);

-- ## What other services are to be told

-- Channels that are gone: what hung on them is still to be ended. A row goes once webhook-delivery has ended the
-- webhooks and the messages are removed.
CREATE TABLE ended_channels (
  channel_id       bigint          PRIMARY KEY,
  ended_at         timestamptz(3)  NOT NULL DEFAULT now(),
  webhooks_ended   boolean         NOT NULL DEFAULT false,
  -- Replicas take turns: one that claims a row has it to itself until then.
  next_attempt_at  timestamptz     NOT NULL DEFAULT now()
);
CREATE INDEX ended_channels_next_attempt_at_idx ON ended_channels (next_attempt_at);

-- Draws a version of a picture, no lower than the clock in microseconds: media ignores a version that is not newer
-- than the one it knows, and a sequence that comes back from a backup is behind.
CREATE SEQUENCE picture_versions;
CREATE FUNCTION next_picture_version() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  own_lock constant bigint := hashtextextended('picture_versions', 0);
  drawn bigint;
BEGIN
  -- For these lines alone, not until the commit.
  PERFORM pg_advisory_lock(own_lock);
  BEGIN
    drawn := GREATEST(nextval('picture_versions'), (extract(epoch FROM clock_timestamp()) * 1000000)::bigint);
    PERFORM setval('picture_versions', drawn);
  EXCEPTION WHEN query_canceled OR OTHERS THEN
    PERFORM pg_advisory_unlock(own_lock);
    RAISE;
  END;
  PERFORM pg_advisory_unlock(own_lock);
  RETURN drawn;
END $$;

-- Changes of pictures that media has not been told of yet (services/media/README.md#who-refers-to-a-picture). They
-- outlive their owner.
CREATE TABLE picture_changes (
  -- Drawn while the guild's row is locked: a later change of it has a higher one.
  version          bigint          PRIMARY KEY DEFAULT next_picture_version(),
  -- A guild, or the account that is a member of guild_id.
  owner_id         bigint          NOT NULL,
  guild_id         bigint,
  slot             text            NOT NULL,
  -- Null: there is none now.
  hash             text,
  upload_id        text,
  next_attempt_at  timestamptz(3)  NOT NULL,
  CHECK (CASE WHEN guild_id IS NULL THEN slot = 'icon' ELSE slot IN ('avatar', 'banner') END)
);
CREATE INDEX picture_changes_owner_id_idx ON picture_changes (owner_id);
CREATE INDEX picture_changes_next_attempt_at_idx ON picture_changes (next_attempt_at);

-- The end of a membership ends its pictures, by the end of the guild too. The background job sends these changes.
CREATE FUNCTION note_members_pictures_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO picture_changes (owner_id, guild_id, slot, next_attempt_at)
  SELECT account_id, guild_id, slot, now()
    FROM ended, LATERAL (VALUES ('avatar', avatar), ('banner', banner)) AS had (slot, hash)
   WHERE had.hash IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER note_pictures_gone AFTER DELETE ON members REFERENCING OLD TABLE AS ended
  FOR EACH STATEMENT EXECUTE FUNCTION note_members_pictures_gone();

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

ALTER TABLE members DISABLE TRIGGER USER;
TRUNCATE guilds, audit_log_entries, channels, channel_recipients, deduplication_claims, direct_channels, ended_channels, event_log_horizon, events, invites, roles, members, member_roles, messages, permission_overwrites, picture_changes, schema_migration, webhook_summaries, worker_leases;

INSERT INTO guilds ("id", "name", "icon", "owner_id", "features", "member_count", "revision") OVERRIDING SYSTEM VALUE VALUES
  ('1575817947754352640', 'Workshop', NULL, '1575817943798710272', '{}', '3', '6');

INSERT INTO audit_log_entries ("guild_id", "id", "action_type", "user_id", "target_id", "reason", "options", "changes") OVERRIDING SYSTEM VALUE VALUES
  ('1575817947754352640', '1575817948161200128', '40', '1575817943798710272', NULL, NULL, NULL, '[{"key": "code", "new_value": "iNqdU5gcl8KF"}, {"key": "channel_id", "new_value": "1575817947758546944"}, {"key": "max_uses", "new_value": 0}, {"key": "max_age", "new_value": 86400}]'),
  ('1575817947754352640', '1575817948446412800', '30', '1575817943798710272', '1575817948438024192', NULL, NULL, '[{"key": "name", "new_value": "Crew"}, {"key": "color", "new_value": 0}, {"key": "position", "new_value": 1}, {"key": "hoist", "new_value": false}, {"key": "mentionable", "new_value": false}, {"key": "permissions", "new_value": "18014536052624961"}]'),
  ('1575817947754352640', '1575817948563853312', '25', '1575817943798710272', '1575817944624988160', NULL, NULL, '[{"key": "$add", "new_value": [{"id": "1575817948438024192", "name": "Crew"}]}]'),
  ('1575817947754352640', '1575817948685488128', '10', '1575817943798710272', '1575817948664516608', NULL, NULL, '[{"key": "name", "new_value": "hidden"}, {"key": "type", "new_value": 0}, {"key": "position", "new_value": 1}, {"key": "rate_limit_per_user", "new_value": 0}, {"key": "permission_overwrites", "new_value": [{"id": "1575817947754352640", "deny": "1024", "type": 0, "allow": "0"}, {"id": "1575817948438024192", "deny": "0", "type": 0, "allow": "1024"}]}]'),
  ('1575817947754352640', '1575817949115789312', '50', '1575817943798710272', '1575817949006737408', NULL, NULL, '[{"key": "name", "new_value": "Deploys"}, {"key": "channel_id", "new_value": "1575817947758546944"}]'),
  ('1575817947754352640', '1575817950291906560', '28', '1575817943798710272', '1575817949412474880', NULL, NULL, '[]');

INSERT INTO channels ("id", "guild_id", "type", "name", "topic", "position", "parent_id", "rate_limit_per_user", "owner_id", "recipient_ids") OVERRIDING SYSTEM VALUE VALUES
  ('1575817947758546944', '1575817947754352640', '0', 'general', NULL, '0', NULL, '0', NULL, '{}'),
  ('1575817948664516608', '1575817947754352640', '0', 'hidden', NULL, '1', NULL, '0', NULL, '{}'),
  ('1575817948756791296', NULL, '1', NULL, NULL, '0', NULL, '0', NULL, '{1575817943798710272,1575817944624988160}');

INSERT INTO channel_recipients ("channel_id", "account_id", "closed") OVERRIDING SYSTEM VALUE VALUES
  ('1575817948756791296', '1575817943798710272', 'false'),
  ('1575817948756791296', '1575817944624988160', 'false');

INSERT INTO direct_channels ("low_id", "high_id", "channel_id") OVERRIDING SYSTEM VALUE VALUES
  ('1575817943798710272', '1575817944624988160', '1575817948756791296');

INSERT INTO event_log_horizon ("singleton", "xact_id", "event_id") OVERRIDING SYSTEM VALUE VALUES
  ('true', '0', '0');

INSERT INTO invites ("code", "guild_id", "channel_id", "inviter_id", "uses", "max_uses", "max_age", "created_at", "expires_at") OVERRIDING SYSTEM VALUE VALUES
  ('iNqdU5gcl8KF', '1575817947754352640', '1575817947758546944', '1575817943798710272', '1', '0', '86400', '2026-11-27 10:17:56.117+00', '2026-11-28 10:17:56.117+00');

INSERT INTO roles ("id", "guild_id", "name", "color", "position", "hoist", "mentionable", "permissions") OVERRIDING SYSTEM VALUE VALUES
  ('1575817947754352640', '1575817947754352640', '@everyone', '0', '0', 'false', 'false', '18014536052624961'),
  ('1575817948438024192', '1575817947754352640', 'Crew', '0', '1', 'false', 'false', '18014536052624961');

INSERT INTO members ("guild_id", "account_id", "joined_at", "nick", "avatar", "banner", "bio", "pronouns", "accent_color", "inviter_id") OVERRIDING SYSTEM VALUE VALUES
  ('1575817947754352640', '1575817943798710272', '2026-11-27 10:17:56.027694+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('1575817947754352640', '1575817944624988160', '2026-11-27 10:17:56.169727+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('1575817947754352640', '1575817949412474880', '2026-11-27 10:17:56.623354+00', NULL, NULL, NULL, NULL, NULL, NULL, '1575817943798710272');

INSERT INTO member_roles ("guild_id", "account_id", "role_id") OVERRIDING SYSTEM VALUE VALUES
  ('1575817947754352640', '1575817944624988160', '1575817948438024192');

INSERT INTO messages ("channel_id", "id", "author_id", "webhook_id", "webhook_name", "webhook_avatar", "type", "flags", "content", "embeds", "mention_ids", "mention_role_ids", "mention_everyone", "pinned", "edited_at") OVERRIDING SYSTEM VALUE VALUES
  ('1575817947758546944', '1575817949310439424', NULL, '1575817949006737408', 'Deploys', NULL, '0', '0', 'of a webhook', '[]', '{}', '{}', 'false', 'false', NULL),
  ('1575817947758546944', '1575817949356576768', '1575817943798710272', NULL, NULL, NULL, '0', '0', 'of a person', '[]', '{}', '{}', 'false', 'false', NULL),
  ('1575817948756791296', '1575817948882620416', '1575817943798710272', NULL, NULL, NULL, '0', '0', 'of a DM', '[]', '{}', '{}', 'false', 'false', NULL);

INSERT INTO permission_overwrites ("channel_id", "id", "type", "allow", "deny") OVERRIDING SYSTEM VALUE VALUES
  ('1575817948664516608', '1575817947754352640', '0', '0', '1024'),
  ('1575817948664516608', '1575817948438024192', '0', '1024', '0');

INSERT INTO schema_migration ("name", "checksum", "applied_at") OVERRIDING SYSTEM VALUE VALUES
  ('0001_baseline.sql', 'e03a6518c927dd9dc78a6cb6f030e2e8b20a03d0f1e8831e63015b3015541211', '2026-11-27 10:17:53.283664+00');

INSERT INTO webhook_summaries ("id", "guild_id", "channel_id", "name", "avatar", "revision", "missing_revisions") OVERRIDING SYSTEM VALUE VALUES
  ('1575817949006737408', '1575817947754352640', '1575817947758546944', 'Deploys', NULL, '1', '{}');

INSERT INTO worker_leases ("worker_id", "holder", "leased_until", "ids_until_ms") OVERRIDING SYSTEM VALUE VALUES
  ('341', 'de24d2f5-e161-4eb8-aaeb-cea0f57060c3', '2026-11-27 10:17:56.80936+00', '1795774676631');

SELECT setval('events_id_seq', 14);
ALTER TABLE members ENABLE TRIGGER USER;
