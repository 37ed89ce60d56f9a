import type { Pool } from 'pg';

/** The guilds above an ID that an account is in but does not own, by ID. */
export async function findGuildIds(
  db: Pool,
  accountId: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'find_guild_ids',
    text: `
      SELECT guild_id AS id FROM members JOIN guilds ON guilds.id = guild_id
      WHERE account_id = $1 AND guild_id > $2 AND owner_id <> account_id
      ORDER BY guild_id LIMIT $3`,
    values: [accountId, after, limit],
  });
  return rows.map(({ id }) => id);
}

/** The number of guilds that an account is in, counted up to `max`. */
export async function countJoinedGuilds(db: Pool, accountId: string, max: number): Promise<number> {
  const { rows } = await db.query<{ guilds: number }>({
    name: 'count_joined_guilds',
    text: `SELECT count(*)::int AS guilds FROM (SELECT FROM members WHERE account_id = $1 LIMIT $2) AS joined`,
    values: [accountId, max],
  });
  return rows[0]?.guilds ?? 0;
}

/** The group DMs above an ID that an account is in, by ID. */
export async function findGroupChannelIds(
  db: Pool,
  accountId: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'find_group_channel_ids',
    text: `
      SELECT channel_id AS id FROM channel_recipients JOIN channels ON channels.id = channel_id
      WHERE account_id = $1 AND channel_id > $2 AND type = 3
      ORDER BY channel_id LIMIT $3`,
    values: [accountId, after, limit],
  });
  return rows.map(({ id }) => id);
}
