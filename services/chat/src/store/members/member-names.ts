import type { MemberRow } from '@gatehouse/chat-client/rows';
import type { Pool } from 'pg';
import { MEMBER_COLUMNS } from './member-profiles.ts';

/** The nicks of a guild's members, by ID. */
export async function findMemberNames(
  db: Pool,
  guildId: string,
  after: string,
  limit: number,
): Promise<Pick<MemberRow, 'account_id' | 'nick'>[]> {
  const { rows } = await db.query<Pick<MemberRow, 'account_id' | 'nick'>>({
    name: 'find_member_names',
    text: `
      SELECT account_id, nick FROM members WHERE guild_id = $1 AND account_id > $2 ORDER BY account_id LIMIT $3`,
    values: [guildId, after, limit],
  });
  return rows;
}

/** The members among these accounts, by ID. */
export async function findMembersById(
  db: Pool,
  guildId: string,
  accountIds: readonly string[],
): Promise<MemberRow[]> {
  if (accountIds.length === 0) return [];
  const { rows } = await db.query<MemberRow>({
    name: 'find_members_by_id',
    text: `
      SELECT ${MEMBER_COLUMNS} FROM members
      WHERE guild_id = $1 AND account_id = ANY($2::bigint[]) ORDER BY account_id`,
    values: [guildId, accountIds],
  });
  return rows;
}
