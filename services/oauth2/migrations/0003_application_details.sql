-- What an application says about itself where a user decides whether to trust it. Each may be absent.
ALTER TABLE applications
  -- Hash of a picture, which media has.
  ADD COLUMN icon         text,
  ADD COLUMN description  text,
  ADD COLUMN terms_url    text,
  ADD COLUMN privacy_url  text;

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

-- Changes of icons that media has not received yet (services/media/README.md#who-refers-to-a-picture). They outlive
-- their application.
CREATE TABLE picture_changes (
  -- Drawn while the application's row is locked: a later change of it has a higher one.
  version          bigint          PRIMARY KEY DEFAULT next_picture_version(),
  application_id   bigint          NOT NULL,
  -- Null: the icon is removed.
  hash             text,
  upload_id        text,
  next_attempt_at  timestamptz(3)  NOT NULL
);
CREATE INDEX picture_changes_application_id_idx ON picture_changes (application_id);
CREATE INDEX picture_changes_next_attempt_at_idx ON picture_changes (next_attempt_at);
