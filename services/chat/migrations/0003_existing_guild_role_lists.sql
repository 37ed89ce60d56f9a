-- Writes the roles of guilds whose roles have not changed since the previous migration: a list that a trigger has written
-- is newer than this statement's. The locks keep guilds from being deleted meanwhile; other changes do not wait for them.
-- A change of roles waits until the end if it comes after its guild's list has been written here.
INSERT INTO guild_role_lists (guild_id, json, everyone_permissions)
SELECT guild_id, string_agg(role_json(roles), ',' ORDER BY position, roles.id),
  COALESCE(bit_or(permissions) FILTER (WHERE roles.id = guild_id), 0)
FROM (SELECT id AS guild_id FROM guilds ORDER BY id FOR KEY SHARE) AS existing JOIN roles USING (guild_id)
GROUP BY guild_id
ON CONFLICT (guild_id) DO NOTHING;
