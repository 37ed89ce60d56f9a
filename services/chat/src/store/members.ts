import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { Pool, PoolClient } from 'pg';
import type { Membership } from '../guilds/permissions.ts';
import { CHANNEL_COLUMNS, type ChannelRow } from './channels.ts';

/** Of a Membership, where `guilds` is joined with the account's row in `members` and `account` is the account. */
export const membershipOf = (
  account: string,
) => `jsonb_build_object('guild_id', guilds.id::text, 'owner_id', guilds.owner_id::text,
  'account_id', ${account}::text, 'is_member', members.account_id IS NOT NULL, 'roles', COALESCE((
    SELECT jsonb_agg(jsonb_build_object('id', id::text, 'position', position, 'permissions', permissions::text))
    FROM roles
    WHERE roles.guild_id = guilds.id AND members.account_id IS NOT NULL
      AND (id = guilds.id OR id IN (SELECT role_id FROM member_roles
        WHERE guild_id = guilds.id AND account_id = ${account}::bigint))), '[]'))`;

const MEMBERSHIP = membershipOf('$2');

/** An account's place in a guild, member or not; undefined when there is no such guild. */
export async function readMembership(
  db: Pool | PoolClient,
  guildId: string,
  accountId: string,
): Promise<Membership | undefined> {
  if (!isSnowflake(guildId)) return undefined;
  const { rows } = await db.query<{ membership: Membership }>({
    name: 'read_membership',
    text: `
      SELECT ${MEMBERSHIP} AS membership
      FROM guilds LEFT JOIN members ON members.guild_id = guilds.id AND members.account_id = $2::bigint
      WHERE guilds.id = $1`,
    values: [guildId, accountId],
  });
  return rows[0]?.membership;
}

export interface ChannelAndMembership {
  readonly channel: ChannelRow;
  /** Undefined for a private channel. */
  readonly membership: Membership | undefined;
}

/** A channel and the account's place in its guild; undefined when there is no such channel. */
export async function readChannelAndMembership(
  db: Pool | PoolClient,
  channelId: string,
  accountId: string,
): Promise<ChannelAndMembership | undefined> {
  if (!isSnowflake(channelId)) return undefined;
  const { rows } = await db.query<ChannelRow & { membership: Membership | null }>({
    name: 'read_channel_and_membership',
    text: `
      SELECT ${CHANNEL_COLUMNS}, CASE WHEN guilds.id IS NOT NULL THEN ${MEMBERSHIP} END AS membership
      FROM channels
        LEFT JOIN guilds ON guilds.id = channels.guild_id
        LEFT JOIN members ON members.guild_id = guilds.id AND members.account_id = $2::bigint
      WHERE channels.id = $1`,
    values: [channelId, accountId],
  });
  const [row] = rows;
  if (row === undefined) return undefined;
  const { membership, ...channel } = row;
  return { channel, membership: membership ?? undefined };
}
