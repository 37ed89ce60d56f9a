import type { Pool, PoolClient } from 'pg';
import { andLive, type SessionLifetime } from '../sessions/session-lifetime.ts';

/** An account as operators see it. */
export interface AdminAccountRow {
  readonly id: string;
  readonly username: string;
  readonly global_name: string | null;
  readonly email: string | null;
  readonly verified: boolean;
  readonly bot: boolean;
  readonly created_at: Date;
  readonly suspended_at: Date | null;
  readonly suspended_by: string | null;
  readonly suspension_reason: string | null;
  /** Of a bot. */
  readonly owner_id: string | null;
  /** Of the owner of a bot, as are the next three. */
  readonly owner_username: string | null;
  readonly owner_suspended_at: Date | null;
  readonly owner_suspended_by: string | null;
  readonly owner_suspension_reason: string | null;
  readonly has_password: boolean;
}

const COLUMNS = `id, username, global_name, email, verified, bot, created_at, suspended_at, suspended_by,
  suspension_reason, password_hash IS NOT NULL AS has_password, owner_id, owner_username, owner_suspended_at,
  owner_suspended_by, owner_suspension_reason`;

/** SQL: joins the owner of a bot. */
const WITH_OWNER = `LEFT JOIN LATERAL (
    SELECT bot_tokens.owner_id, owner.username AS owner_username, owner.suspended_at AS owner_suspended_at,
           owner.suspended_by AS owner_suspended_by, owner.suspension_reason AS owner_suspension_reason
      FROM bot_tokens LEFT JOIN accounts AS owner ON owner.id = bot_tokens.owner_id
     WHERE bot_tokens.application_id = accounts.id) AS owned ON true`;

export async function findAdminAccount(
  db: Pool | PoolClient,
  id: string,
): Promise<AdminAccountRow | undefined> {
  const { rows } = await db.query<AdminAccountRow>({
    name: 'find_admin_account',
    text: `SELECT ${COLUMNS} FROM accounts ${WITH_OWNER} WHERE id = $1`,
    values: [id],
  });
  return rows[0];
}

/** The bots of an account's applications, newest first. */
export async function findBotsOf(db: Pool, owner_id: string): Promise<AdminAccountRow[]> {
  const { rows } = await db.query<AdminAccountRow>({
    name: 'find_bots_of_account',
    text: `SELECT ${COLUMNS} FROM accounts ${WITH_OWNER}
            WHERE id IN (SELECT bot.application_id FROM bot_tokens AS bot WHERE bot.owner_id = $1)
            ORDER BY id DESC`,
    values: [owner_id],
  });
  return rows;
}

/** The accounts with these IDs, newest first. */
export async function findAccountsById(db: Pool, ids: readonly string[]): Promise<AdminAccountRow[]> {
  const { rows } = await db.query<AdminAccountRow>({
    name: 'find_admin_accounts',
    text: `SELECT ${COLUMNS} FROM accounts ${WITH_OWNER} WHERE id = ANY ($1::bigint[]) ORDER BY id DESC`,
    values: [ids],
  });
  return rows;
}

/** What operators look for. A query may be several of these. */
export interface AccountSearch {
  readonly id: string | null;
  readonly email_key: string | null;
  /** The start of a user name: 1-32 of [a-z0-9_.]. */
  readonly username_prefix: string | null;
  /** The forms of an address that a session may have been opened from. */
  readonly ips: readonly string[];
  /** Only accounts with a smaller ID. */
  readonly before: string;
  readonly limit: number;
}

/** Sorts after every character of a user name. */
const AFTER_ALL_NAMES = '{';

/** Bounds the work of a short prefix. */
const MAX_NAMES = 10_000;

/** The accounts that match one of the searched members, newest first; of user names, the first 10,000 in their order. */
export async function searchAccounts(
  db: Pool,
  { id, email_key, username_prefix, ips, before, limit }: AccountSearch,
  lifetime: SessionLifetime,
): Promise<AdminAccountRow[]> {
  const { rows } = await db.query<AdminAccountRow>({
    name: 'search_accounts',
    text: `WITH found AS (
             SELECT $1::bigint AS found_id
             UNION SELECT id FROM accounts WHERE email_key = $2
             UNION (SELECT id FROM accounts WHERE username_key ~>=~ $3 AND username_key ~<~ $4
                     ORDER BY username_key USING ~<~ LIMIT ${MAX_NAMES})
             UNION SELECT account_id
               FROM unnest($5::text[]) AS address, LATERAL (
                 SELECT DISTINCT account_id FROM sessions
                  WHERE ip = address AND account_id < $6${andLive(lifetime)}
                  ORDER BY account_id DESC LIMIT $7) AS from_address)
           SELECT ${COLUMNS} FROM found JOIN accounts ON id = found_id ${WITH_OWNER}
            WHERE id < $6
            ORDER BY id DESC LIMIT $7`,
    values: [
      id,
      email_key,
      username_prefix,
      username_prefix === null ? null : `${username_prefix}${AFTER_ALL_NAMES}`,
      ips,
      before,
      limit,
    ],
  });
  return rows;
}
