-- The roles of each guild as JSON, in the form of the API: the items of an array, by position, then by ID. A list of
-- guilds contains all their roles, and to write them takes several times as long as the rest of the list. Triggers write
-- them when roles change. Every such change locks its guild first, so that no two write one guild's roles at once. The
-- next migration writes the roles of existing guilds.
CREATE TABLE guild_role_lists (
  guild_id              bigint  PRIMARY KEY REFERENCES guilds ON DELETE CASCADE,
  json                  text    NOT NULL,
  -- The permissions of @everyone.
  everyone_permissions  bigint  NOT NULL
);

CREATE FUNCTION role_json(role roles) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT '{"id":"' || role.id || '","name":' || to_json(role.name) || ',"color":' || role.color
    || ',"position":' || role.position || ',"hoist":' || role.hoist || ',"mentionable":' || role.mentionable
    || ',"permissions":"' || role.permissions || '"}'
$$;

CREATE FUNCTION write_role_lists(guild_ids bigint[]) RETURNS void LANGUAGE sql SET search_path FROM CURRENT AS $$
  INSERT INTO guild_role_lists (guild_id, json, everyone_permissions)
  SELECT guild_id, string_agg(role_json(roles), ',' ORDER BY position, id),
    COALESCE(bit_or(permissions) FILTER (WHERE id = guild_id), 0)
  FROM roles WHERE guild_id = ANY(guild_ids) GROUP BY guild_id
  ON CONFLICT (guild_id) DO UPDATE SET json = EXCLUDED.json, everyone_permissions = EXCLUDED.everyone_permissions
$$;

CREATE FUNCTION write_changed_role_lists() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
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
