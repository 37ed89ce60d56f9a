import type { Pool, PoolClient } from 'pg';

/** The memory that an answer needs for each row: read, decoded, shown and encoded. */
const CHANNEL_BYTES = 1_024;
const TOPIC_COPIES = 4;
const OVERWRITE_BYTES = 512;
const ROLE_BYTES = 512;
const LISTED_GUILD_BYTES = 1_024;
/** The row, the guild's text, the list's text, the list as bytes, the response, and its frames. */
const ROLE_LIST_COPIES = 6;
const MEMBER_BYTES = 2_048;
const PRIVATE_CHANNEL_BYTES = 4_096;

/** The memory of guilds with all their roles, channels and overwrites. */
export async function guildBytes(db: Pool | PoolClient, guildIds: readonly string[]): Promise<number> {
  if (guildIds.length === 0) return 0;
  return readBytes(db, {
    name: 'guild_bytes',
    text: `
      SELECT (
        (SELECT COALESCE(sum(${CHANNEL_BYTES} + ${TOPIC_COPIES} * COALESCE(octet_length(topic), 0)), 0)
          FROM channels WHERE guild_id = ANY($1::bigint[]))
        + ${OVERWRITE_BYTES} * (SELECT count(*)
          FROM channels JOIN permission_overwrites AS overwrite ON overwrite.channel_id = channels.id
          WHERE channels.guild_id = ANY($1::bigint[]))
        + ${ROLE_BYTES} * (SELECT count(*) FROM roles WHERE guild_id = ANY($1::bigint[]))
      )::double precision AS bytes`,
    values: [guildIds],
  });
}

/** The memory of accounts' memberships and private channels. */
export async function accountBytes(db: Pool, accountIds: readonly string[]): Promise<number> {
  if (accountIds.length === 0) return 0;
  return readBytes(db, {
    name: 'account_bytes',
    text: `
      SELECT (
        ${MEMBER_BYTES} * (SELECT count(*) FROM members WHERE account_id = ANY($1::bigint[]))
        + ${PRIVATE_CHANNEL_BYTES} * (SELECT count(*)
          FROM channel_recipients WHERE account_id = ANY($1::bigint[]) AND NOT closed)
      )::double precision AS bytes`,
    values: [accountIds],
  });
}

/** The memory of an account's guild list, most of which is JSON of all roles of the guilds. */
export async function guildListBytes(db: Pool, accountId: string): Promise<number> {
  return readBytes(db, {
    name: 'guild_list_bytes',
    text: `
      SELECT COALESCE(sum(${LISTED_GUILD_BYTES} + ${ROLE_LIST_COPIES} * octet_length(json)), 0)::double precision
        AS bytes
      FROM members JOIN guild_role_lists USING (guild_id) WHERE account_id = $1`,
    values: [accountId],
  });
}

async function readBytes(
  db: Pool | PoolClient,
  statement: { readonly name: string; readonly text: string; readonly values: unknown[] },
): Promise<number> {
  const { rows } = await db.query<{ bytes: number }>(statement);
  return rows[0]?.bytes ?? 0;
}
