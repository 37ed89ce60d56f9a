import type { Pool } from 'pg';
import { type AccountKeys, nameKey } from '../registration.ts';
import { ACCOUNT_COLUMNS, type Account } from './account.ts';
import type { Records } from './records.ts';
import type { NewSession } from './sessions.ts';

/** A person's account to be made. */
export interface NewAccount {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly password_hash: string;
  readonly global_name: string | null;
}

/**
 * Makes an account with its first session. Undefined if a name of it is taken; of any number of
 * simultaneous accounts with one name, one is made.
 */
export async function insertAccount(
  db: Pool,
  account: NewAccount,
  session: NewSession,
): Promise<Account | undefined> {
  const { rows } = await db.query<Account>({
    name: 'insert_account',
    text: `WITH account AS (
             INSERT INTO accounts (id, username, username_key, email, email_key, password_hash,
                                   password_changed_at, global_name)
             VALUES ($1, $2, $3, $4, $5, $6, now(), $7)
             ON CONFLICT DO NOTHING
             RETURNING ${ACCOUNT_COLUMNS}
           ), session AS (
             INSERT INTO sessions (id, account_id, token_hash, ip, user_agent)
             SELECT $8::bigint, id, decode($9, 'hex'), $10::text, $11::text FROM account
           )
           SELECT * FROM account`,
    values: [
      account.id,
      account.username,
      nameKey(account.username),
      account.email,
      nameKey(account.email),
      account.password_hash,
      account.global_name,
      session.id,
      session.token_hash,
      session.ip,
      session.user_agent,
    ],
  });
  return rows[0];
}

/** Those of the names that an account has already. */
export async function findTaken(records: Records, keys: AccountKeys): Promise<AccountKeys> {
  const { email_key, username_key } = keys;
  const owners = await records.account.findMany({
    where: {
      OR: [
        ...(email_key === undefined ? [] : [{ email_key }]),
        ...(username_key === undefined ? [] : [{ username_key }]),
      ],
    },
    select: { email_key: true, username_key: true },
  });
  return {
    email_key: owners.some((owner) => owner.email_key === email_key) ? email_key : undefined,
    username_key: owners.some((owner) => owner.username_key === username_key) ? username_key : undefined,
  };
}

/** The account that logs in with this address, and what its password must match. */
export async function findLogin(
  records: Records,
  emailKey: string,
): Promise<{ account: Account; password_hash: string | null } | undefined> {
  const found = await records.account.findUnique({ where: { email_key: emailKey } });
  if (found === null) return undefined;
  const { password_hash, ...account } = found;
  return { account: { ...account, id: String(found.id) }, password_hash };
}

/** The accounts with these IDs, in their order; undefined where there is none. */
export async function findAccounts(db: Pool, ids: readonly string[]): Promise<(Account | undefined)[]> {
  const { rows } = await db.query<Account>({
    name: 'find_accounts',
    text: `SELECT ${ACCOUNT_COLUMNS} FROM accounts WHERE id = ANY ($1::bigint[])`,
    values: [ids],
  });
  const byId = new Map(rows.map((account) => [account.id, account]));
  return ids.map((id) => byId.get(id));
}
