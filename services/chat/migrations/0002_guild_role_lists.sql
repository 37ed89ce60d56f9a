-- The roles of each guild as JSON, in the form of the API: the items of an array, by position, then by ID. A list of
-- guilds contains all their roles, and to write them takes several times as long as the rest of the list. Triggers write
-- them when roles change. Every such change locks its guild first, so that no two write one guild's roles at once.
CREATE TABLE guild_role_lists (
  guild_id              bigint  PRIMARY KEY REFERENCES guilds ON DELETE CASCADE,
  json                  text    NOT NULL,
  -- The permissions of @everyone.
  everyone_permissions  bigint  NOT NULL
);

CREATE FUNCTION write_role_lists(guild_ids bigint[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO guild_role_lists (guild_id, json, everyone_permissions)
  SELECT guild_id, string_agg('{"id":"' || id || '","name":' || to_json(name) || ',"color":' || color
    || ',"position":' || position || ',"hoist":' || hoist || ',"mentionable":' || mentionable
    || ',"permissions":"' || permissions || '"}', ',' ORDER BY position, id),
    COALESCE(bit_or(permissions) FILTER (WHERE id = guild_id), 0)
  FROM roles WHERE guild_id = ANY(guild_ids) GROUP BY guild_id
  ON CONFLICT (guild_id) DO UPDATE SET json = EXCLUDED.json, everyone_permissions = EXCLUDED.everyone_permissions
$$;

CREATE FUNCTION write_changed_role_lists() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_role_lists(ARRAY(SELECT DISTINCT guild_id FROM changed));
  RETURN NULL;
END
$$;

CREATE TRIGGER write_added AFTER INSERT ON roles REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION write_changed_role_lists();
CREATE TRIGGER write_changed AFTER UPDATE ON roles REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION write_changed_role_lists();
CREATE TRIGGER write_removed AFTER DELETE ON roles REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION write_changed_role_lists();

-- The triggers' lock keeps writers of roles out until this transaction ends.
SELECT write_role_lists(ARRAY(SELECT id FROM guilds));
