-- Lists of an account's guilds go by ID.
CREATE INDEX members_by_account_and_guild ON members (account_id, guild_id);
DROP INDEX members_by_account;

-- Changes of pictures that media has not been told of yet (services/media/README.md#who-refers-to-a-picture). They
-- outlive their owner.
CREATE SEQUENCE picture_versions;

-- No lower than the clock in microseconds: media ignores a version that is not newer than the one it knows, and a
-- sequence that comes back from a backup is behind.
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

CREATE TABLE picture_changes (
  -- Drawn while the guild's row is locked: a later change of it has a higher one.
  version          bigint         PRIMARY KEY DEFAULT next_picture_version(),
  -- A guild.
  owner_id         bigint         NOT NULL,
  slot             text           NOT NULL CHECK (slot IN ('icon')),
  -- Null: there is none now.
  hash             text,
  upload_id        text,
  next_attempt_at  timestamptz(3) NOT NULL
);
CREATE INDEX picture_changes_owner_id_idx ON picture_changes (owner_id);
CREATE INDEX picture_changes_next_attempt_at_idx ON picture_changes (next_attempt_at);
