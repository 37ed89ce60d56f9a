import type { MemberRow } from '@gatehouse/chat-client/rows';
import type { Pool } from 'pg';
import { MEMBER_COLUMNS } from './member-profiles.ts';

/** A member that was installed. */
export interface GuildBotRow extends Pick<MemberRow, 'account_id' | 'role_ids' | 'joined_at'> {
  readonly inviter_id: string;
  /** Of its roles and @everyone together. */
  readonly permissions: string;
}

/** By ID. */
export async function findGuildBots(
  db: Pool,
  guildId: string,
  after: string,
  limit: number,
): Promise<GuildBotRow[]> {
  const { rows } = await db.query<GuildBotRow>({
    name: 'find_guild_bots',
    text: `
      WITH bots AS (
        SELECT ${MEMBER_COLUMNS}, inviter_id FROM members
        WHERE guild_id = $1 AND account_id > $2 AND inviter_id IS NOT NULL
        ORDER BY account_id LIMIT $3
      )
      SELECT account_id, inviter_id, role_ids, joined_at,
        (SELECT bit_or(permissions) FROM roles WHERE id = ANY(role_ids || $1::bigint)) AS permissions
      FROM bots ORDER BY account_id`,
    values: [guildId, after, limit],
  });
  return rows;
}
