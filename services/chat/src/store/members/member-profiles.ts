import type { MemberRow } from '@gatehouse/chat-client/rows';
import type { Pool, PoolClient } from 'pg';
import { isoText } from '../iso-text.ts';

/** The columns of a MemberRow. */
export const MEMBER_COLUMNS = `account_id, nick, avatar, banner, bio, pronouns, accent_color,
  ARRAY(SELECT role_id FROM member_roles WHERE member_roles.guild_id = members.guild_id
    AND member_roles.account_id = members.account_id ORDER BY role_id) AS role_ids,
  ${isoText('joined_at')} AS joined_at`;

export async function findMember(
  db: Pool | PoolClient,
  guildId: string,
  accountId: string,
): Promise<MemberRow | undefined> {
  const { rows } = await db.query<MemberRow>({
    name: 'find_member',
    text: `SELECT ${MEMBER_COLUMNS} FROM members WHERE guild_id = $1 AND account_id = $2`,
    values: [guildId, accountId],
  });
  return rows[0];
}

/** By ID. */
export async function findMemberPage(
  db: Pool,
  guildId: string,
  after: string,
  limit: number,
): Promise<MemberRow[]> {
  const { rows } = await db.query<MemberRow>({
    name: 'find_member_page',
    text: `SELECT ${MEMBER_COLUMNS} FROM members WHERE guild_id = $1 AND account_id > $2 ORDER BY account_id LIMIT $3`,
    values: [guildId, after, limit],
  });
  return rows;
}

/** A member's profile in a guild. */
export type MemberProfile = Pick<
  MemberRow,
  'nick' | 'avatar' | 'banner' | 'bio' | 'pronouns' | 'accent_color'
>;

/** Replaces the whole profile. */
export async function updateMemberProfile(
  tx: PoolClient,
  guildId: string,
  accountId: string,
  { nick, avatar, banner, bio, pronouns, accent_color }: MemberProfile,
): Promise<void> {
  await tx.query({
    name: 'update_member_profile',
    text: `
      UPDATE members
      SET nick = $3, avatar = $4, banner = $5, bio = $6, pronouns = $7, accent_color = $8
      WHERE guild_id = $1 AND account_id = $2`,
    values: [guildId, accountId, nick, avatar, banner, bio, pronouns, accent_color],
  });
}
