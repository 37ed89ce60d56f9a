import type { Pool, PoolClient } from 'pg';

/** A login that is held until the token from its mail is used, and its client. */
export interface NewHeldLogin {
  /** SHA-256 of the ticket and of the token in the mail, hex. */
  readonly ticket_hash: string;
  readonly token_hash: string;
  readonly account_id: string;
  readonly network: string;
  readonly ip: string;
  readonly user_agent: string;
}

const HELD_LOGIN_LIFETIME = '15 minutes';
const RESEND_AFTER = '30 seconds';
/** Per account. A new held login replaces the oldest. */
const MAX_HELD_LOGINS = 5;

/** Inserts a held login, in a transaction that has locked the account (`lockAccount`). */
export async function insertHeldLogin(tx: PoolClient, login: NewHeldLogin): Promise<void> {
  await tx.query({
    name: 'insert_held_login',
    text: `WITH evicted AS (
             DELETE FROM held_logins WHERE ticket_hash IN (
               SELECT ticket_hash FROM held_logins WHERE account_id = $3 ORDER BY created_at DESC OFFSET ${MAX_HELD_LOGINS - 1}
             )
           )
           INSERT INTO held_logins (ticket_hash, token_hashes, account_id, network, ip, user_agent, expires_at)
           VALUES (decode($1, 'hex'), ARRAY[decode($2, 'hex')], $3, $4, $5, $6, now() + interval '${HELD_LOGIN_LIFETIME}')`,
    values: [
      login.ticket_hash,
      login.token_hash,
      login.account_id,
      login.network,
      login.ip,
      login.user_agent,
    ],
  });
}

/** A live held login. */
export interface HeldLogin {
  readonly account_id: string;
  readonly ip: string;
  readonly user_agent: string;
  readonly created_at: Date;
  readonly authorized: boolean;
  /** Seconds, rounded up. Null after a resend or the authorization: no further resend is possible. */
  readonly resend_available_in: number | null;
}

export async function findHeldLogin(
  db: Pool | PoolClient,
  ticket_hash: string,
): Promise<HeldLogin | undefined> {
  const { rows } = await db.query<HeldLogin>({
    name: 'find_held_login',
    text: `SELECT account_id, ip, user_agent, created_at, authorized_at IS NOT NULL AS authorized,
                  CASE WHEN resent_at IS NULL AND authorized_at IS NULL
                       THEN ceil(extract(epoch FROM
                         greatest(created_at + interval '${RESEND_AFTER}' - now(), interval '0')))::int
                       END AS resend_available_in
             FROM held_logins WHERE ticket_hash = decode($1, 'hex') AND expires_at > now()`,
    values: [ticket_hash],
  });
  return rows[0];
}

/** Adds the token of a second mail. Returns false if it is too early, or was done before. */
export async function resendHeldLogin(
  tx: PoolClient,
  ticket_hash: string,
  token_hash: string,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'resend_held_login',
    text: `UPDATE held_logins SET resent_at = now(), token_hashes = token_hashes || decode($2, 'hex')
            WHERE ticket_hash = decode($1, 'hex') AND expires_at > now()
              AND created_at <= now() - interval '${RESEND_AFTER}'
              AND resent_at IS NULL AND authorized_at IS NULL`,
    values: [ticket_hash, token_hash],
  });
  return rowCount === 1;
}

/** The account of the held login with this mail token. */
export async function findHeldLoginOwner(db: Pool, token_hash: string): Promise<string | undefined> {
  const { rows } = await db.query<{ account_id: string }>({
    name: 'find_held_login_owner',
    text: `SELECT account_id FROM held_logins
            WHERE token_hashes @> ARRAY[decode($1, 'hex')] AND expires_at > now() AND authorized_at IS NULL`,
    values: [token_hash],
  });
  return rows[0]?.account_id;
}

/** Authorizes a held login, once, and returns its network. */
export async function authorizeHeldLogin(tx: PoolClient, token_hash: string): Promise<string | undefined> {
  const { rows } = await tx.query<{ network: string }>({
    name: 'authorize_held_login',
    text: `UPDATE held_logins SET authorized_at = now()
            WHERE token_hashes @> ARRAY[decode($1, 'hex')] AND expires_at > now() AND authorized_at IS NULL
           RETURNING network`,
    values: [token_hash],
  });
  return rows[0]?.network;
}

/**
 * Ends an authorized held login in the transaction that opens its session, and returns its network. Undefined if a
 * concurrent request ended it first.
 */
export async function redeemHeldLogin(tx: PoolClient, ticket_hash: string): Promise<string | undefined> {
  const { rows } = await tx.query<{ network: string }>({
    name: 'redeem_held_login',
    text: `DELETE FROM held_logins
            WHERE ticket_hash = decode($1, 'hex') AND expires_at > now() AND authorized_at IS NOT NULL
           RETURNING network`,
    values: [ticket_hash],
  });
  return rows[0]?.network;
}
