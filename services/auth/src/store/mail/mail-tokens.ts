import type { Pool, PoolClient } from 'pg';

export type MailTokenPurpose = 'verify_email' | 'reset_password';

/** A new token for a mail. */
export interface NewMailToken {
  readonly purpose: MailTokenPurpose;
  readonly account_id: string;
  /** The address that the token is mailed to, in lower case. */
  readonly email_key: string;
  /** SHA-256, hex. */
  readonly token_hash: string;
  readonly expires_in_ms: number;
}

/** The account and the address that a token was mailed to. */
export interface MailTokenOwner {
  readonly account_id: string;
  readonly email_key: string;
}

/** An account that a token is mailed to. */
export interface Addressee {
  readonly id: string;
  readonly username: string;
  readonly email: string | null;
  readonly verified: boolean;
  readonly locale: string | null;
}

const ADDRESSEE = 'id, username, email, verified, locale';

/**
 * Locks the account with this address exclusively until the transaction ends. Concurrent transactions that create
 * tokens for it see each other's tokens, and a later change of its password or address deletes all of them. Requests for
 * one address wait for each other even without an account, so the duration does not reveal whether there is one.
 */
export async function lockAddressee(tx: PoolClient, email_key: string): Promise<Addressee | undefined> {
  await tx.query({
    name: 'lock_address',
    text: `SELECT pg_advisory_xact_lock(hashtextextended('address ' || $1, 0))`,
    values: [email_key],
  });
  const { rows } = await tx.query<Addressee>({
    name: 'lock_addressee',
    text: `SELECT ${ADDRESSEE} FROM accounts WHERE email_key = $1 FOR NO KEY UPDATE`,
    values: [email_key],
  });
  return rows[0];
}

/** Like `lockAddressee`, by ID. */
export async function lockAddresseeById(tx: PoolClient, id: string): Promise<Addressee | undefined> {
  const { rows } = await tx.query<Addressee>({
    name: 'lock_addressee_by_id',
    text: `SELECT ${ADDRESSEE} FROM accounts WHERE id = $1 FOR NO KEY UPDATE`,
    values: [id],
  });
  return rows[0];
}

/** Per account and purpose. A new token replaces the oldest. */
const MAX_LIVE_TOKENS = 3;

/** Inserts a token if the account still has the address, and deletes the oldest tokens over the limit. */
export async function insertMailToken(tx: PoolClient, token: NewMailToken): Promise<void> {
  await tx.query({
    name: 'drop_mail_tokens',
    text: `DELETE FROM mail_tokens WHERE token_hash IN (
             SELECT token_hash FROM mail_tokens WHERE account_id = $1 AND purpose = $2
              ORDER BY expires_at DESC OFFSET $3)`,
    values: [token.account_id, token.purpose, MAX_LIVE_TOKENS - 1],
  });
  await tx.query({
    name: 'insert_mail_token',
    text: `INSERT INTO mail_tokens (token_hash, purpose, account_id, email_key, expires_at)
           SELECT decode($1, 'hex'), $2, id, email_key, now() + $5::double precision * interval '1 millisecond'
             FROM accounts WHERE id = $3 AND email_key = $4`,
    values: [token.token_hash, token.purpose, token.account_id, token.email_key, token.expires_in_ms],
  });
}

/** Finds a token without using it up. Undefined if it is unknown, used, expired, or for a former address. */
export async function findMailToken(
  db: Pool,
  purpose: MailTokenPurpose,
  token_hash: string,
): Promise<MailTokenOwner | undefined> {
  const { rows } = await db.query<MailTokenOwner>({
    name: 'find_mail_token',
    text: `SELECT account_id, email_key FROM mail_tokens JOIN accounts USING (email_key)
            WHERE token_hash = decode($1, 'hex') AND purpose = $2 AND account_id = accounts.id
              AND expires_at > now()`,
    values: [token_hash, purpose],
  });
  return rows[0];
}

/**
 * Uses up a token. Only one of several concurrent calls returns true. The transaction must already have updated the
 * token's account, so that it never waits for the account while it holds the token.
 */
export async function useMailToken(
  tx: PoolClient,
  purpose: MailTokenPurpose,
  token_hash: string,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'use_mail_token',
    text: `DELETE FROM mail_tokens
            WHERE token_hash = decode($1, 'hex') AND purpose = $2 AND expires_at > now()`,
    values: [token_hash, purpose],
  });
  return rowCount === 1;
}

/** Deletes an account's tokens of one purpose. */
export async function deleteMailTokens(
  tx: PoolClient,
  account_id: string,
  purpose: MailTokenPurpose,
): Promise<void> {
  await tx.query({
    name: 'delete_mail_tokens',
    text: 'DELETE FROM mail_tokens WHERE account_id = $1 AND purpose = $2',
    values: [account_id, purpose],
  });
}
