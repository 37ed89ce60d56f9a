import type { PoolClient } from 'pg';

/**
 * Adds an account to a guild that the transaction has locked. A bot has an inviter. Returns the new member count;
 * undefined if the account was a member already.
 */
export async function insertMember(
  tx: PoolClient,
  guildId: string,
  accountId: string,
  inviterId: string | null = null,
): Promise<number | undefined> {
  const { rows } = await tx.query<{ member_count: number }>({
    name: 'insert_member',
    text: `
      WITH member AS (
        INSERT INTO members (guild_id, account_id, inviter_id) VALUES ($1, $2, $3)
        ON CONFLICT DO NOTHING
        RETURNING guild_id
      )
      UPDATE guilds SET member_count = member_count + 1 FROM member WHERE guilds.id = member.guild_id
      RETURNING guilds.member_count`,
    values: [guildId, accountId, inviterId],
  });
  return rows[0]?.member_count;
}

/**
 * Ends a membership with its roles in a guild that the transaction has locked. Returns the new member count; undefined
 * if the account was no member.
 */
export async function deleteMember(
  tx: PoolClient,
  guildId: string,
  accountId: string,
): Promise<number | undefined> {
  const { rows } = await tx.query<{ member_count: number }>({
    name: 'delete_member',
    text: `
      WITH member AS (
        DELETE FROM members WHERE guild_id = $1 AND account_id = $2 RETURNING guild_id
      )
      UPDATE guilds SET member_count = member_count - 1 FROM member WHERE guilds.id = member.guild_id
      RETURNING guilds.member_count`,
    values: [guildId, accountId],
  });
  return rows[0]?.member_count;
}

/**
 * Counts an account's guilds, including those joined in this transaction. Concurrent calls for the account wait until
 * the transaction ends, so that a limit holds. Lock a guild before this call.
 */
export async function countGuilds(tx: PoolClient, accountId: string): Promise<number> {
  await tx.query({
    name: 'lock_guilds_of_account',
    text: `SELECT pg_advisory_xact_lock(hashtextextended('guilds ' || $1, 0))`,
    values: [accountId],
  });
  const { rows } = await tx.query<{ count: number }>({
    name: 'count_guilds',
    text: 'SELECT count(*)::integer AS count FROM members WHERE account_id = $1',
    values: [accountId],
  });
  return rows[0]?.count ?? 0;
}
