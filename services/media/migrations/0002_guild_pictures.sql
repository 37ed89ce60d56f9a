-- An account can have pictures for one guild besides its own. 0: the owner's own.
ALTER TABLE kept_pictures
  ADD COLUMN guild_id bigint NOT NULL DEFAULT 0,
  DROP CONSTRAINT kept_pictures_pkey,
  ADD PRIMARY KEY (owner_id, guild_id, slot);
