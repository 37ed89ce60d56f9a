-- Guilds, who is in them, what they may do, and where they talk (contract 7).
-- IDs are snowflakes; the time of an ID is when its row was made. Accounts are the auth service's:
-- their IDs have no foreign key here.

CREATE TABLE guilds (
  id        bigint PRIMARY KEY,
  name      text   NOT NULL,
  icon      text,
  owner_id  bigint NOT NULL,
  features  text[] NOT NULL DEFAULT '{}'
);

-- The role whose ID is the guild's is @everyone: every member holds it without a row in
-- member_roles.
CREATE TABLE roles (
  id           bigint  PRIMARY KEY,
  guild_id     bigint  NOT NULL REFERENCES guilds ON DELETE CASCADE,
  name         text    NOT NULL,
  color        integer NOT NULL DEFAULT 0,
  position     integer NOT NULL DEFAULT 0,
  hoist        boolean NOT NULL DEFAULT false,
  mentionable  boolean NOT NULL DEFAULT false,
  permissions  bigint  NOT NULL DEFAULT 0
);
CREATE INDEX roles_by_guild ON roles (guild_id);

CREATE TABLE members (
  guild_id    bigint      NOT NULL REFERENCES guilds ON DELETE CASCADE,
  account_id  bigint      NOT NULL,
  joined_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (guild_id, account_id)
);
CREATE INDEX members_by_account ON members (account_id);

CREATE TABLE member_roles (
  guild_id    bigint NOT NULL,
  account_id  bigint NOT NULL,
  role_id     bigint NOT NULL REFERENCES roles ON DELETE CASCADE,
  PRIMARY KEY (guild_id, account_id, role_id),
  FOREIGN KEY (guild_id, account_id) REFERENCES members ON DELETE CASCADE
);
CREATE INDEX member_roles_by_role ON member_roles (role_id);

-- Types: 0 guild text, 1 DM, 2 guild voice, 3 group DM, 4 category. A channel's last message is not
-- kept here: it is the highest ID in `messages`, and a column would make every writer of a busy
-- channel wait for the one before.
CREATE TABLE channels (
  id                   bigint   PRIMARY KEY,
  guild_id             bigint   REFERENCES guilds ON DELETE CASCADE,
  type                 smallint NOT NULL CHECK (type BETWEEN 0 AND 4),
  name                 text,
  topic                text,
  position             integer  NOT NULL DEFAULT 0,
  parent_id            bigint   REFERENCES channels ON DELETE SET NULL,
  rate_limit_per_user  integer  NOT NULL DEFAULT 0,
  CHECK ((guild_id IS NULL) = (type IN (1, 3)))
);
CREATE INDEX channels_by_guild ON channels (guild_id);
CREATE INDEX channels_by_parent ON channels (parent_id) WHERE parent_id IS NOT NULL;

-- `id` is a role's (type 0) or an account's (type 1).
CREATE TABLE permission_overwrites (
  channel_id  bigint   NOT NULL REFERENCES channels ON DELETE CASCADE,
  id          bigint   NOT NULL,
  type        smallint NOT NULL CHECK (type IN (0, 1)),
  allow       bigint   NOT NULL DEFAULT 0,
  deny        bigint   NOT NULL DEFAULT 0,
  PRIMARY KEY (channel_id, id)
);
