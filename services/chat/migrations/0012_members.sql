-- For the retention job: the invites that have been used as often as they may be.
CREATE INDEX invites_used_up_idx ON invites (code) WHERE max_uses > 0 AND uses >= max_uses;

-- A member's pictures are for one guild; they are noted while that guild's row is locked.
ALTER TABLE picture_changes
  ADD COLUMN guild_id bigint,
  DROP CONSTRAINT picture_changes_slot_check,
  ADD CHECK (CASE WHEN guild_id IS NULL THEN slot = 'icon' ELSE slot IN ('avatar', 'banner') END);
COMMENT ON COLUMN picture_changes.owner_id IS 'A guild, or the account that is a member of guild_id.';

-- Whatever ends a membership ends its pictures, the end of the guild too. They are sent by who looks next.
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
