import type { GuildRow } from '@gatehouse/chat-client/rows';
import type { Pool } from 'pg';

/** A guild in the list of a member's guilds. */
export interface GuildOfMember extends Omit<GuildRow, 'features'> {
  /** Null for none. */
  readonly features: readonly string[] | null;
  /** JSON of the roles, separated by commas. */
  readonly roles: string;
  readonly everyone_permissions: string;
  /** The permissions of the member's other roles together; null without any. */
  readonly role_permissions: string | null;
}

/** A page of an account's guilds: the nearest ones before or after an ID, or the first ones. */
interface GuildPage {
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly limit: number;
}

/** The account's guilds by ID. */
export async function findGuildsOf(
  db: Pool,
  accountId: string,
  { before, after, limit }: GuildPage,
): Promise<GuildOfMember[]> {
  const statement = before !== undefined ? PAGE_BEFORE : after !== undefined ? PAGE_AFTER : FIRST_PAGE;
  const { rows } = await db.query<GuildOfMember>({
    ...statement,
    values: [accountId, limit, before ?? after].filter((value) => value !== undefined),
  });
  return rows;
}

const FIRST_PAGE = { name: 'find_guilds', text: listStatement('', 'ASC') };
const PAGE_AFTER = { name: 'find_guilds_after', text: listStatement('AND guild_id > $3', 'ASC') };
const PAGE_BEFORE = { name: 'find_guilds_before', text: listStatement('AND guild_id < $3', 'DESC') };

function listStatement(condition: string, order: string): string {
  return `
    WITH page AS MATERIALIZED (
      SELECT guild_id FROM members WHERE account_id = $1 ${condition} ORDER BY guild_id ${order} LIMIT $2
    )
    SELECT id, name, icon, owner_id, NULLIF(features, '{}') AS features, member_count,
      guild_role_lists.json AS roles, everyone_permissions,
      (SELECT bit_or(permissions) FROM member_roles JOIN roles ON roles.id = role_id
        WHERE member_roles.guild_id = page.guild_id AND account_id = $1) AS role_permissions
    FROM page JOIN guilds ON id = page.guild_id JOIN guild_role_lists ON guild_role_lists.guild_id = id
    ORDER BY id`;
}
