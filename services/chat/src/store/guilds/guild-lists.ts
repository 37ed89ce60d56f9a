import type { Guild, Role } from '@gatehouse/proto/chat';
import type { Pool } from 'pg';

/** A guild with the account's role IDs besides @everyone. */
export interface GuildOfMember extends Omit<Guild, 'permissions' | 'roles'> {
  readonly roles: Role[];
  readonly held_role_ids: readonly string[];
}

/** Selects an account's guilds: the nearest on one side of an ID, or the first. */
export interface GuildWindow {
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly limit: number;
}

/** The account's guilds by ID. */
export async function listGuildsOf(
  db: Pool,
  accountId: string,
  { before, after, limit }: GuildWindow,
): Promise<GuildOfMember[]> {
  const statement = before !== undefined ? BEFORE : after !== undefined ? AFTER : FIRST;
  const place = before ?? after;
  const { rows } = await db.query<GuildLine>({
    ...statement,
    values: [accountId, limit, ...(place === undefined ? [] : [place])],
  });
  return rows.map(({ roles, ...guild }) => ({
    ...guild,
    roles: JSON.parse(`[${roles}]`) as Role[], // ROLE wrote them
  }));
}

interface GuildLine extends Omit<GuildOfMember, 'roles'> {
  readonly roles: string;
}

/** A role as JSON. json_build_object takes twice as long, and 200 guilds may have thousands of roles. */
const ROLE = `'{"id":"' || id || '","name":' || to_json(name) || ',"color":' || color || ',"position":' || position
  || ',"hoist":' || hoist || ',"mentionable":' || mentionable || ',"permissions":"' || permissions || '"}'`;

const FIRST = { name: 'list_guilds', text: listing('', 'ASC') };
const AFTER = { name: 'list_guilds_after', text: listing('AND guild_id > $3', 'ASC') };
const BEFORE = { name: 'list_guilds_before', text: listing('AND guild_id < $3', 'DESC') };

/** Reads the roles of all guilds at once. */
function listing(place: string, order: string): string {
  return `
    WITH mine AS MATERIALIZED (
      SELECT guild_id FROM members WHERE account_id = $1 ${place} ORDER BY guild_id ${order} LIMIT $2
    ), theirs AS (
      SELECT guild_id, string_agg(${ROLE}, ',' ORDER BY position, id) AS roles
      FROM roles WHERE guild_id = ANY(ARRAY(SELECT guild_id FROM mine)) GROUP BY guild_id
    )
    SELECT id, name, icon, owner_id, features, member_count, roles,
      ARRAY(SELECT role_id::text FROM member_roles WHERE guild_id = guilds.id AND account_id = $1) AS held_role_ids
    FROM mine JOIN guilds ON id = mine.guild_id JOIN theirs ON theirs.guild_id = id
    ORDER BY id`;
}
