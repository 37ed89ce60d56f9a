import type { Guild, Role } from '@gatehouse/proto/chat';
import type { Pool } from 'pg';

/** A guild, and which of its roles the account holds besides @everyone's. */
export interface GuildOfMember extends Omit<Guild, 'permissions' | 'roles'> {
  readonly roles: Role[];
  readonly held_role_ids: readonly string[];
}

/** Which guilds of an account: those that follow most closely on one side of an ID, or the first. */
export interface GuildWindow {
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly limit: number;
}

/** The guilds of an account, by ID. */
export async function listGuildsOf(
  db: Pool,
  accountId: string,
  { before, after, limit }: GuildWindow,
): Promise<GuildOfMember[]> {
  const statement = before !== undefined ? BEFORE : after !== undefined ? AFTER : FIRST;
  const place = before ?? after;
  const { rows } = await db.query<GuildOfMember>({
    ...statement,
    values: [accountId, limit, ...(place === undefined ? [] : [place])],
  });
  return rows;
}

const FIRST = { name: 'list_guilds', text: listing('', 'ASC') };
const AFTER = { name: 'list_guilds_after', text: listing('AND guild_id > $3', 'ASC') };
const BEFORE = { name: 'list_guilds_before', text: listing('AND guild_id < $3', 'DESC') };

function listing(place: string, order: string): string {
  return `
    WITH mine AS MATERIALIZED (
      SELECT guild_id FROM members WHERE account_id = $1 ${place} ORDER BY guild_id ${order} LIMIT $2
    )
    SELECT id, name, icon, owner_id, features, member_count,
      (SELECT json_agg(json_build_object('id', id::text, 'name', name, 'color', color, 'position', position,
           'hoist', hoist, 'mentionable', mentionable, 'permissions', permissions::text) ORDER BY position, id)
         FROM roles WHERE guild_id = guilds.id) AS roles,
      ARRAY(SELECT role_id::text FROM member_roles
        WHERE member_roles.guild_id = guilds.id AND account_id = $1) AS held_role_ids
    FROM mine JOIN guilds ON guilds.id = mine.guild_id
    ORDER BY id`;
}
