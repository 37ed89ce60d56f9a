import type { Guild, Role } from '@gatehouse/proto/chat';
import type { Pool } from 'pg';

/** A guild with the account's role IDs besides @everyone. */
export interface GuildOfMember extends Omit<Guild, 'permissions' | 'roles'> {
  readonly roles: Role[];
  readonly held_role_ids: readonly string[];
}

/** A page of an account's guilds: the nearest ones before or after an ID, or the first ones. */
interface GuildPage {
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly limit: number;
}

/** The account's guilds by ID. */
export async function findGuildsOf(
  db: Pool,
  accountId: string,
  { before, after, limit }: GuildPage,
): Promise<GuildOfMember[]> {
  const statement = before !== undefined ? PAGE_BEFORE : after !== undefined ? PAGE_AFTER : FIRST_PAGE;
  const { rows } = await db.query<GuildListRow>({
    ...statement,
    values: [accountId, limit, before ?? after].filter((value) => value !== undefined),
  });
  return rows.map(({ roles, ...guild }) => ({
    ...guild,
    roles: JSON.parse(`[${roles}]`) as Role[], // in the form of ROLE_JSON
  }));
}

interface GuildListRow extends Omit<GuildOfMember, 'roles'> {
  readonly roles: string;
}

/** A role as JSON. json_build_object takes twice as long, and 200 guilds may have thousands of roles. */
const ROLE_JSON = `'{"id":"' || id || '","name":' || to_json(name) || ',"color":' || color || ',"position":' || position
  || ',"hoist":' || hoist || ',"mentionable":' || mentionable || ',"permissions":"' || permissions || '"}'`;

const FIRST_PAGE = { name: 'find_guilds', text: listStatement('', 'ASC') };
const PAGE_AFTER = { name: 'find_guilds_after', text: listStatement('AND guild_id > $3', 'ASC') };
const PAGE_BEFORE = { name: 'find_guilds_before', text: listStatement('AND guild_id < $3', 'DESC') };

/** One statement reads the guilds and all their roles. */
function listStatement(condition: string, order: string): string {
  return `
    WITH page AS MATERIALIZED (
      SELECT guild_id FROM members WHERE account_id = $1 ${condition} ORDER BY guild_id ${order} LIMIT $2
    ), guild_roles AS (
      SELECT guild_id, string_agg(${ROLE_JSON}, ',' ORDER BY position, id) AS roles
      FROM roles WHERE guild_id = ANY(ARRAY(SELECT guild_id FROM page)) GROUP BY guild_id
    )
    SELECT id, name, icon, owner_id, features, member_count, roles,
      ARRAY(SELECT role_id::text FROM member_roles WHERE guild_id = guilds.id AND account_id = $1) AS held_role_ids
    FROM page JOIN guilds ON id = page.guild_id JOIN guild_roles ON guild_roles.guild_id = id
    ORDER BY id`;
}
