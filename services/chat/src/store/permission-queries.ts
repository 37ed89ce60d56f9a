import type { Membership, Overwrite } from '@gatehouse/chat-client/permissions';
import type { Pool } from 'pg';
import { membershipOf } from './members.ts';

/** An account and a guild or a channel. */
export interface PermissionQuery {
  readonly account_id: string;
  readonly guild_id: string | null;
  readonly channel_id: string | null;
}

/** What decides the permissions of an account. */
export interface PermissionFacts {
  /** There is such a guild or channel. */
  readonly exists: boolean;
  /** Null for a private channel. */
  readonly guild_id: string | null;
  /** Null where the query names a guild. */
  readonly channel_type: number | null;
  /** The account is in the private channel. */
  readonly is_recipient: boolean;
  /** Null for a private channel. */
  readonly membership: Membership | null;
  /** Those of the channel that concern the account. */
  readonly overwrites: readonly Overwrite[];
}

/** Reads what decides each query, in their order, by one statement. */
export async function readPermissionFacts(
  db: Pool,
  queries: readonly PermissionQuery[],
): Promise<PermissionFacts[]> {
  const { rows } = await db.query<PermissionFacts>({
    name: 'read_permission_facts',
    text: `
      SELECT channels.id IS NOT NULL OR guilds.id IS NOT NULL AS exists, guilds.id AS guild_id,
        channels.type AS channel_type,
        COALESCE(query.account_id = ANY(channels.recipient_ids), false) AS is_recipient,
        CASE WHEN guilds.id IS NOT NULL THEN ${membershipOf('query.account_id')} END AS membership,
        COALESCE((
          SELECT jsonb_agg(jsonb_build_object('id', id::text, 'type', type, 'allow', allow::text, 'deny', deny::text))
          FROM permission_overwrites
          WHERE channel_id = channels.id AND (id IN (guilds.id, query.account_id)
            OR id IN (SELECT role_id FROM member_roles
              WHERE guild_id = guilds.id AND account_id = query.account_id))), '[]') AS overwrites
      FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])
          WITH ORDINALITY AS query(account_id, guild_id, channel_id, n)
        LEFT JOIN channels ON channels.id = query.channel_id
        LEFT JOIN guilds ON guilds.id = COALESCE(channels.guild_id, query.guild_id)
        LEFT JOIN members ON members.guild_id = guilds.id AND members.account_id = query.account_id
      ORDER BY query.n`,
    values: [
      queries.map(({ account_id }) => account_id),
      queries.map(({ guild_id }) => guild_id),
      queries.map(({ channel_id }) => channel_id),
    ],
  });
  return rows;
}
