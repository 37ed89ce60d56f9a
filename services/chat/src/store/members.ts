import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { Pool } from 'pg';
import type { Membership } from '../guilds/permissions.ts';

/** An account's place in a guild, member or not; undefined when there is no such guild. */
export async function readMembership(
  db: Pool,
  guildId: string,
  accountId: string,
): Promise<Membership | undefined> {
  if (!isSnowflake(guildId)) return undefined;
  const { rows } = await db.query<Membership>({
    name: 'read_membership',
    text: `
      SELECT guilds.id AS guild_id, guilds.owner_id, $2::bigint AS account_id,
        members.account_id IS NOT NULL AS is_member,
        (SELECT jsonb_agg(jsonb_build_object('id', id::text, 'permissions', permissions::text))
           FROM roles
           WHERE roles.guild_id = guilds.id AND members.account_id IS NOT NULL
             AND (id = guilds.id OR id IN (SELECT role_id FROM member_roles
               WHERE guild_id = guilds.id AND account_id = $2))) AS roles
      FROM guilds LEFT JOIN members ON members.guild_id = guilds.id AND members.account_id = $2
      WHERE guilds.id = $1`,
    values: [guildId, accountId],
  });
  const [membership] = rows;
  return membership && { ...membership, roles: membership.roles ?? [] };
}
