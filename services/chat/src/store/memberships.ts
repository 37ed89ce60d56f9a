import type { PoolClient } from 'pg';

/** Lets an account into a guild, which the transaction has locked; false when it is in it. A bot has an inviter. */
export async function insertMember(
  tx: PoolClient,
  guildId: string,
  accountId: string,
  inviterId: string | null = null,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'insert_member',
    text: `
      WITH member AS (
        INSERT INTO members (guild_id, account_id, inviter_id) VALUES ($1, $2, $3)
        ON CONFLICT DO NOTHING
        RETURNING guild_id
      )
      UPDATE guilds SET member_count = member_count + 1 FROM member WHERE guilds.id = member.guild_id`,
    values: [guildId, accountId, inviterId],
  });
  return rowCount === 1;
}

/** Ends a membership with its roles, in a guild that the transaction has locked; false when there is none. */
export async function deleteMember(tx: PoolClient, guildId: string, accountId: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'delete_member',
    text: `
      WITH member AS (
        DELETE FROM members WHERE guild_id = $1 AND account_id = $2 RETURNING guild_id
      )
      UPDATE guilds SET member_count = member_count - 1 FROM member WHERE guilds.id = member.guild_id`,
    values: [guildId, accountId],
  });
  return rowCount === 1;
}
