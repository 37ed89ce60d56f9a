import type { ChannelRow, MemberRow } from '@gatehouse/chat-client/rows';
import type { Guild } from '@gatehouse/proto/chat';
import type { Pool, PoolClient } from 'pg';
import { CHANNEL_COLUMNS, findChannels } from '../channels/channels.ts';
import { privateChannelsOf } from '../channels/private-channels.ts';
import { MEMBER_COLUMNS } from '../members/member-profiles.ts';
import { guildBytes } from '../stored-bytes.ts';
import { findGuild, GUILD_COLUMNS } from './guilds.ts';

/** A guild with all its channels and some of its members. */
export interface GuildRows {
  readonly guild: Guild;
  readonly channels: readonly ChannelRow[];
  readonly members: readonly MemberRow[];
}

export interface GuildStates {
  /** The snapshot of all these states, as text. */
  readonly seen: string;
  readonly guilds: readonly Guild[];
  readonly channels: readonly ChannelRow[];
  /** The accounts as members, in all their guilds. */
  readonly members: readonly (MemberRow & { readonly guild_id: string })[];
  readonly private_channels: readonly (ChannelRow & { readonly account_id: string })[];
}

/** Maximum estimated memory of several guilds together. */
const MAX_BYTES_TOGETHER = 32 * 1024 * 1024;

/** Reads a guild that the transaction has locked or created, with one of its members. */
export async function findGuildRows(tx: PoolClient, guildId: string, member: MemberRow): Promise<GuildRows> {
  const guild = await findGuild(tx, guildId);
  if (guild === undefined) throw new Error(`guild ${guildId} is missing although it has a member`);
  return { guild, channels: await findChannels(tx, guildId), members: [member] };
}

/** Reads guilds and accounts in one snapshot. Undefined if several guilds exceed the memory limit. */
export async function findGuildStates(
  db: Pool,
  guildIds: readonly string[],
  accountIds: readonly string[],
): Promise<GuildStates | undefined> {
  const tx = await db.connect();
  try {
    await tx.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const states = await readStates(tx, guildIds, accountIds);
    await tx.query('COMMIT');
    tx.release();
    return states;
  } catch (error) {
    tx.release(true); // closes the connection, which ends the transaction
    throw error;
  }
}

async function readStates(
  tx: PoolClient,
  guildIds: readonly string[],
  accountIds: readonly string[],
): Promise<GuildStates | undefined> {
  const { rows } = await tx.query<{ seen: string }>({
    name: 'state_snapshot',
    text: 'SELECT pg_current_snapshot()::text AS seen',
  });
  if (guildIds.length > 1 && (await guildBytes(tx, guildIds)) > MAX_BYTES_TOGETHER) return undefined;
  const members = await tx.query<GuildStates['members'][number]>({
    name: 'state_members',
    text: `
      SELECT guild_id, ${MEMBER_COLUMNS}
      FROM members
      WHERE account_id = ANY($1::bigint[])
      ORDER BY guild_id, account_id`,
    values: [accountIds],
  });
  const guilds = await tx.query<Guild>({
    name: 'state_guilds',
    text: `SELECT ${GUILD_COLUMNS} FROM guilds WHERE id = ANY($1::bigint[]) ORDER BY id`,
    values: [guildIds],
  });
  const channels = await tx.query<ChannelRow>({
    name: 'state_channels',
    text: `SELECT ${CHANNEL_COLUMNS} FROM channels WHERE guild_id = ANY($1::bigint[]) ORDER BY position, channels.id`,
    values: [guildIds],
  });
  const private_channels = await tx.query<ChannelRow & { account_id: string }>({
    name: 'state_private_channels',
    text: `
      SELECT account.id AS account_id, open.*
      FROM unnest($1::bigint[]) AS account(id) CROSS JOIN LATERAL (${privateChannelsOf('account.id')}) AS open`,
    values: [accountIds],
  });
  return {
    seen: rows[0]?.seen ?? '',
    guilds: guilds.rows,
    channels: channels.rows,
    members: members.rows,
    private_channels: private_channels.rows,
  };
}
