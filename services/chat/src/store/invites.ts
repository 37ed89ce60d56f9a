import type { InviteChannel, InviteGuild } from '@gatehouse/proto/chat';
import type { Pool, PoolClient } from 'pg';
import { isoText } from './iso-text.ts';

/** A stored invite with the fields of its guild and channel that it shows. */
export interface InviteRow {
  readonly code: string;
  readonly guild_id: string;
  readonly channel_id: string;
  readonly inviter_id: string;
  readonly uses: number;
  readonly max_uses: number;
  /** Seconds. */
  readonly max_age: number;
  /** ISO 8601. */
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly guild: InviteGuild;
  readonly channel: InviteChannel;
}

export type NewInvite = Pick<
  InviteRow,
  'code' | 'guild_id' | 'channel_id' | 'inviter_id' | 'max_uses' | 'max_age'
>;

const SELECT = `
  SELECT code, invites.guild_id, channel_id, inviter_id, uses, max_uses, max_age,
    ${isoText('created_at')} AS created_at, ${isoText('expires_at')} AS expires_at,
    jsonb_build_object('id', guilds.id::text, 'name', guilds.name, 'icon', guilds.icon, 'features', guilds.features,
      'member_count', guilds.member_count) AS guild,
    jsonb_build_object('id', channels.id::text, 'name', channels.name, 'type', channels.type) AS channel
  FROM invites
    JOIN guilds ON guilds.id = invites.guild_id
    JOIN channels ON channels.id = invites.channel_id`;

/**
 * The current time, not the transaction's: a transaction that waited for the guild must not see invites that expired
 * meanwhile.
 */
const LIVE = `(expires_at IS NULL OR expires_at > clock_timestamp()) AND (max_uses = 0 OR uses < max_uses)`;

/** Undefined for an expired invite too. */
export async function findInvite(db: Pool | PoolClient, code: string): Promise<InviteRow | undefined> {
  const { rows } = await db.query<InviteRow>({
    name: 'find_invite',
    text: `${SELECT} WHERE code = $1 AND ${LIVE}`,
    values: [code],
  });
  return rows[0];
}

/** Newest first. */
export async function findInvites(db: Pool, channelId: string): Promise<InviteRow[]> {
  const { rows } = await db.query<InviteRow>({
    name: 'find_invites',
    text: `${SELECT} WHERE channel_id = $1 AND ${LIVE} ORDER BY invites.created_at DESC, code`,
    values: [channelId],
  });
  return rows;
}

/** The number of the guild's invites that have not expired. */
export async function countInvites(tx: PoolClient, guildId: string): Promise<number> {
  const { rows } = await tx.query<{ count: number }>({
    name: 'count_invites',
    text: `SELECT count(*)::integer AS count FROM invites WHERE guild_id = $1 AND ${LIVE}`,
    values: [guildId],
  });
  return rows[0]?.count ?? 0;
}

export async function insertInvite(
  tx: PoolClient,
  { code, guild_id, channel_id, inviter_id, max_uses, max_age }: NewInvite,
): Promise<void> {
  await tx.query({
    name: 'insert_invite',
    text: `
      INSERT INTO invites (code, guild_id, channel_id, inviter_id, max_uses, max_age, created_at, expires_at)
      SELECT $1, $2, $3, $4, $5, $6, at, CASE WHEN $6 > 0 THEN at + $6 * interval '1 second' END
      FROM clock_timestamp() AS at`,
    values: [code, guild_id, channel_id, inviter_id, max_uses, max_age],
  });
}

/** Counts a use. The transaction has locked the guild. */
export async function useInvite(tx: PoolClient, code: string): Promise<void> {
  await tx.query({
    name: 'use_invite',
    text: 'UPDATE invites SET uses = uses + 1 WHERE code = $1',
    values: [code],
  });
}

export async function deleteInviteRow(tx: PoolClient, code: string): Promise<void> {
  await tx.query({ name: 'delete_invite', text: 'DELETE FROM invites WHERE code = $1', values: [code] });
}
