-- 0001_baseline.sql

-- Pictures, and which rows of other services refer to them (services/media/README.md#who-refers-to-a-picture).

-- ## Pictures

-- Pictures by their content, each once, however many show it.
CREATE TABLE pictures (
  -- 32 hex digits, behind "a_" when animated.
  hash                text            PRIMARY KEY,
  content_type        text            NOT NULL,
  bytes               bytea           NOT NULL,
  stored_at           timestamptz(3)  NOT NULL DEFAULT now(),
  -- A slot had it before: a client may be taking it.
  was_kept            boolean         NOT NULL DEFAULT false,
  -- Since when nothing may refer to it any more: the retention job looks, and removes it if that is so.
  unreferenced_since  timestamptz(3),

  -- Readable as an avatar under any ID, for as long as a webhook or a message names it.
  published           boolean         NOT NULL DEFAULT false,
  -- How often it was published: what was found out about it before the last time is not true any more.
  publications        integer         NOT NULL DEFAULT 0,
  -- When the next check is due of whether something names it.
  check_at            timestamptz(3)  NOT NULL DEFAULT now(),
  -- Since when nothing names it.
  unnamed_since       timestamptz(3)
);
-- Pictures are compressed as they are; and parts of what is not compressed are read by themselves.
ALTER TABLE pictures ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE INDEX pictures_unreferenced_since_idx ON pictures (unreferenced_since)
  WHERE unreferenced_since IS NOT NULL;
CREATE INDEX pictures_check_at_idx ON pictures (check_at) WHERE published;

-- ## What refers to a picture

-- Pictures that were stored and are nobody's yet. Each row holds its picture for a day.
CREATE TABLE uploads (
  id         bigint          GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  hash       text            NOT NULL REFERENCES pictures (hash),
  stored_at  timestamptz(3)  NOT NULL DEFAULT now()
);
CREATE INDEX uploads_hash_idx ON uploads (hash);
CREATE INDEX uploads_stored_at_idx ON uploads (stored_at);

-- The picture in each slot. One that was taken off leaves its row for a while: an older version may come late.
CREATE TABLE kept_pictures (
  owner_id    bigint          NOT NULL,
  -- An account can have pictures for one guild besides its own. 0: the owner's own.
  guild_id    bigint          NOT NULL DEFAULT 0,
  slot        text            NOT NULL CHECK (slot IN ('avatar', 'banner', 'icon')),
  hash        text            REFERENCES pictures (hash),
  version     bigint          NOT NULL,
  changed_at  timestamptz(3)  NOT NULL DEFAULT now(),
  PRIMARY KEY (owner_id, guild_id, slot)
);
CREATE INDEX kept_pictures_hash_idx ON kept_pictures (hash) WHERE hash IS NOT NULL;
CREATE INDEX kept_pictures_taken_off_idx ON kept_pictures (changed_at) WHERE hash IS NULL;

-- The end of a reference marks its picture, so that nothing stays for ever that nobody refers to. A published one
-- stays anyway. An upload that ends beside a kept picture of the same content need not: the kept one's end marks it.
-- A picture that nobody ever could read is due at once, so that refused changes take no room.
CREATE FUNCTION mark_picture_of_upload() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE pictures SET unreferenced_since = CASE WHEN was_kept THEN now() ELSE '-infinity' END
   WHERE hash = OLD.hash AND NOT published
     AND NOT EXISTS (SELECT FROM kept_pictures WHERE kept_pictures.hash = OLD.hash);
  RETURN NULL;
END $$;
CREATE TRIGGER mark_picture AFTER DELETE ON uploads
  FOR EACH ROW EXECUTE FUNCTION mark_picture_of_upload();

CREATE FUNCTION mark_picture_of_slot() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE pictures SET unreferenced_since = now(), was_kept = true WHERE hash = OLD.hash AND NOT published;
  RETURN NULL;
END $$;
CREATE TRIGGER mark_picture AFTER UPDATE OF hash ON kept_pictures
  FOR EACH ROW WHEN (OLD.hash IS DISTINCT FROM NEW.hash) EXECUTE FUNCTION mark_picture_of_slot();
CREATE TRIGGER mark_picture_of_removed AFTER DELETE ON kept_pictures
  FOR EACH ROW EXECUTE FUNCTION mark_picture_of_slot();

-- ## Limits

-- Bytes of pictures that were stored on a day, by the account or the guild that they count against.
CREATE TABLE stored_bytes (
  owner_id  text    NOT NULL,
  -- Of UTC.
  day       date    NOT NULL,
  bytes     bigint  NOT NULL,
  PRIMARY KEY (owner_id, day)
);
CREATE INDEX stored_bytes_day_idx ON stored_bytes (day);

CREATE TABLE IF NOT EXISTS schema_migration (
  name text PRIMARY KEY,
  checksum text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now()
);

-- Data

ALTER TABLE kept_pictures DISABLE TRIGGER USER;
ALTER TABLE uploads DISABLE TRIGGER USER;
TRUNCATE pictures, kept_pictures, schema_migration, stored_bytes, uploads;

INSERT INTO pictures ("hash", "content_type", "bytes", "stored_at", "was_kept", "unreferenced_since", "published", "publications", "check_at", "unnamed_since") OVERRIDING SYSTEM VALUE VALUES
  ('ed1ea1fcb5c8a40ac3965a83ae1657bf', 'image/png', E'\\x89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de000000097048597300000b1200000b1201d2dd7efc0000000c49444154089963606060000000040001a30a15e30000000049454e44ae426082', '2026-11-27 10:17:55.936+00', 'false', NULL, 'false', '0', '2026-11-27 10:17:55.936+00', NULL);

INSERT INTO kept_pictures ("owner_id", "guild_id", "slot", "hash", "version", "changed_at") OVERRIDING SYSTEM VALUE VALUES
  ('1575817944624988160', '0', 'avatar', 'ed1ea1fcb5c8a40ac3965a83ae1657bf', '1795774675983933', '2026-11-27 10:17:56+00');

INSERT INTO schema_migration ("name", "checksum", "applied_at") OVERRIDING SYSTEM VALUE VALUES
  ('0001_baseline.sql', '5cfdb0f6e9e7938067ed2256eae69dc1b88a039a27c69c1d4fa617027a762ca0', '2026-11-27 10:17:53.320023+00');

INSERT INTO stored_bytes ("owner_id", "day", "bytes") OVERRIDING SYSTEM VALUE VALUES
  ('1575817944624988160', '2026-11-27', '90');

SELECT setval('uploads_id_seq', 1);
ALTER TABLE kept_pictures ENABLE TRIGGER USER;
ALTER TABLE uploads ENABLE TRIGGER USER;
