-- Versions of pictures are drawn no lower than the clock in microseconds: media ignores a version that is not newer than
-- the one it knows, and a sequence that comes back from a backup is behind.
CREATE FUNCTION next_picture_version() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  own_lock constant bigint := hashtextextended('picture_versions', 0);
  drawn bigint;
BEGIN
  -- For these lines alone, not until the commit: a hand-over's transaction takes seconds.
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

ALTER TABLE picture_changes ALTER COLUMN version SET DEFAULT next_picture_version();
