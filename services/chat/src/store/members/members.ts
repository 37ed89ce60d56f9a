import type { Membership } from '@gatehouse/chat-client/permissions';
import type { ChannelRow } from '@gatehouse/chat-client/rows';
import { batcher } from '@gatehouse/kit/queues/batch';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import pg, { type Pool, type PoolClient } from 'pg';
import { CHANNEL_COLUMNS } from '../channels/channels.ts';

/** A role of a Membership as JSON. json_build_object takes twice as long. */
const ROLE_JSON = `'{"id":"' || id || '","position":' || position || ',"permissions":"' || permissions || '"}'`;

/**
 * A Membership as JSON, for a join of `guilds` with the account's row in `members`. Roles are looked up by ID, since a
 * guild may have many more than a member holds.
 */
const membershipOf = (
  account: string,
) => `('{"guild_id":"' || guilds.id || '","owner_id":"' || guilds.owner_id
  || '","account_id":"' || ${account}::bigint || '","is_member":' || (members.account_id IS NOT NULL) || ',"roles":['
  || array_to_string(ARRAY(
    SELECT ${ROLE_JSON}
    FROM roles
    WHERE id = ANY(ARRAY(SELECT role_id FROM member_roles
      WHERE guild_id = members.guild_id AND account_id = members.account_id) || members.guild_id)
  ), ',') || ']}')::json`;

/** An account's membership in a guild. `is_member` is false outside it; undefined if the guild does not exist. */
export async function findMembership(
  db: Pool | PoolClient,
  guildId: string,
  accountId: string,
): Promise<Membership | undefined> {
  if (!isSnowflake(guildId)) return undefined;
  const { rows } = await db.query<{ membership: Membership }>({
    name: 'find_membership',
    text: `
      SELECT ${membershipOf('$2')} AS membership
      FROM guilds LEFT JOIN members ON members.guild_id = guilds.id AND members.account_id = $2::bigint
      WHERE guilds.id = $1`,
    values: [guildId, accountId],
  });
  return rows[0]?.membership;
}

interface ChannelAndMembership {
  readonly channel: ChannelRow;
  /** Undefined for a private channel. */
  readonly membership: Membership | undefined;
  /** The guild's revision at this read (store/guilds/guild-lock.ts); null for a private channel. */
  readonly guild_revision: string | null;
  /** Whether an operator disabled the guild (docs/guilds.md#disabled-guilds). */
  readonly is_disabled: boolean;
}

/** A channel and the account's membership in its guild; undefined if the channel does not exist. */
export async function findChannelAndMembership(
  db: Pool | PoolClient,
  channelId: string,
  accountId: string,
): Promise<ChannelAndMembership | undefined> {
  if (!isSnowflake(channelId)) return undefined;
  const pair = { channelId, accountId };
  if (db instanceof pg.Pool) return readerOf(db)(pair);
  const [found] = await readTogether(db, [pair]);
  return found;
}

interface Pair {
  readonly channelId: string;
  readonly accountId: string;
}

/** Most requests begin with this read. Concurrent reads outside of transactions share a statement. */
const readers = new WeakMap<Pool, (pair: Pair) => Promise<ChannelAndMembership | undefined>>();

function readerOf(db: Pool): (pair: Pair) => Promise<ChannelAndMembership | undefined> {
  const existing = readers.get(db);
  if (existing !== undefined) return existing;
  const reader = batcher<Pair, ChannelAndMembership | undefined>({
    run: (pairs) => readTogether(db, pairs),
  });
  readers.set(db, reader);
  return reader;
}

/**
 * Returns the results in the order of the pairs. OFFSET 0 makes the planner look up each pair by its keys, whatever row
 * count it expects.
 */
async function readTogether(
  db: Pool | PoolClient,
  pairs: readonly Pair[],
): Promise<(ChannelAndMembership | undefined)[]> {
  const { rows } = await db.query<
    ChannelRow & {
      n: number;
      membership: Membership | null;
      guild_revision: string | null;
      is_disabled: boolean;
    }
  >({
    name: 'find_channels_and_memberships',
    text: `
      SELECT wanted.n::integer, found.*
      FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS wanted (channel_id, account_id, n), LATERAL (
        SELECT ${CHANNEL_COLUMNS},
          CASE WHEN guilds.id IS NOT NULL THEN ${membershipOf('wanted.account_id')} END AS membership,
          guilds.revision AS guild_revision, guilds.disabled_at IS NOT NULL AS is_disabled
        FROM channels
          LEFT JOIN guilds ON guilds.id = channels.guild_id
          LEFT JOIN members ON members.guild_id = guilds.id AND members.account_id = wanted.account_id
        WHERE channels.id = wanted.channel_id
        OFFSET 0
      ) AS found`,
    values: [pairs.map(({ channelId }) => channelId), pairs.map(({ accountId }) => accountId)],
  });
  const found = new Map(
    rows.map(({ n, membership, guild_revision, is_disabled, ...channel }) => [
      n,
      { channel, membership: membership ?? undefined, guild_revision, is_disabled },
    ]),
  );
  return pairs.map((_, index) => found.get(index + 1));
}
