import type { Pool, PoolClient } from 'pg';
import type { PrismaClient } from '../prisma.ts';
import { ACCOUNT_COLUMNS, type Account, PASSWORD_CHANGED_NOW } from './account.ts';
import { type UniqueKeys, uniqueKey } from './unique-keys.ts';

/** A new account of a person. */
export interface NewAccount {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly password_hash: string;
  readonly global_name: string | null;
  readonly locale: string | null;
}

/**
 * Inserts an account. Undefined if its address or user name is taken. Only one of several concurrent inserts with
 * the same one succeeds.
 */
export async function insertAccount(tx: PoolClient, account: NewAccount): Promise<Account | undefined> {
  const { rows } = await tx.query<Account>({
    name: 'insert_account',
    text: `INSERT INTO accounts (id, username, username_key, email, email_key, password_hash,
                                 password_changed_at, global_name, locale)
           VALUES ($1, $2, $3, $4, $5, $6, now(), $7, $8)
           ON CONFLICT DO NOTHING
           RETURNING ${ACCOUNT_COLUMNS}`,
    values: [
      account.id,
      account.username,
      uniqueKey(account.username),
      account.email,
      uniqueKey(account.email),
      account.password_hash,
      account.global_name,
      account.locale,
    ],
  });
  return rows[0];
}

/** Returns those of the keys that accounts already have. */
export async function findTakenKeys(prisma: PrismaClient, keys: UniqueKeys): Promise<UniqueKeys> {
  const { email_key, username_key } = keys;
  const owners = await prisma.account.findMany({
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

/** An account with its password hash. */
export interface AccountWithPassword {
  readonly account: Account;
  /** Null for bots. */
  readonly password_hash: string | null;
}

/** The account with this email address, for the check of its password. */
export async function findAccountByEmail(
  db: Pool,
  email_key: string,
): Promise<AccountWithPassword | undefined> {
  const { rows } = await db.query<Account & { password_hash: string | null }>({
    name: 'find_account_by_email',
    text: `SELECT ${ACCOUNT_COLUMNS}, password_hash FROM accounts WHERE email_key = $1`,
    values: [email_key],
  });
  return withSeparatePassword(rows[0]);
}

/**
 * Locks an account and reads it: password, email address and factors do not change until the transaction ends. Every
 * transaction that creates a session or a ticket takes this lock first and reads the account under it. A change of
 * password, which ends all sessions, is then either visible here or ends the new session too. The lock is exclusive:
 * shared ones that overlap without a gap would keep a suspension waiting.
 */
export async function lockAccount(tx: PoolClient, id: string): Promise<AccountWithPassword | undefined> {
  await tx.query({
    name: 'lock_account',
    text: 'SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE',
    values: [id],
  });
  // A separate statement, because the first one sees the factors as they were before it waited for the lock.
  const { rows } = await tx.query<Account & { password_hash: string | null }>({
    name: 'find_locked_account',
    text: `SELECT ${ACCOUNT_COLUMNS}, password_hash FROM accounts WHERE id = $1`,
    values: [id],
  });
  return withSeparatePassword(rows[0]);
}

/** Sets the password of an account if it still has this address. */
export async function replacePassword(
  tx: PoolClient,
  account: { readonly account_id: string; readonly email_key: string },
  password_hash: string,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'replace_password',
    text: `UPDATE accounts SET password_hash = $3, password_changed_at = ${PASSWORD_CHANGED_NOW}
            WHERE id = $1 AND email_key = $2`,
    values: [account.account_id, account.email_key, password_hash],
  });
  return rowCount === 1;
}

/** Replaces a hash by another hash of the same password, if it is still stored. */
export async function replaceHash(
  prisma: PrismaClient,
  account_id: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await prisma.account.updateMany({
    where: { id: BigInt(account_id), password_hash: from },
    data: { password_hash: to },
  });
}

/** Marks the address as verified if the account still has it. */
export async function verifyAddress(
  tx: PoolClient,
  account: { readonly account_id: string; readonly email_key: string },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'verify_address',
    text: 'UPDATE accounts SET verified = true WHERE id = $1 AND email_key = $2',
    values: [account.account_id, account.email_key],
  });
  return rowCount === 1;
}

function withSeparatePassword(
  row: (Account & { password_hash: string | null }) | undefined,
): AccountWithPassword | undefined {
  if (row === undefined) return undefined;
  const { password_hash, ...account } = row;
  return { account, password_hash };
}

/** The accounts with these IDs, in the same order; undefined for unknown ones. */
export async function findAccounts(
  db: Pool | PoolClient,
  ids: readonly string[],
): Promise<(Account | undefined)[]> {
  const { rows } = await db.query<Account>({
    name: 'find_accounts',
    text: `SELECT ${ACCOUNT_COLUMNS} FROM accounts WHERE id = ANY ($1::bigint[])`,
    values: [ids],
  });
  const byId = new Map(rows.map((account) => [account.id, account]));
  return ids.map((id) => byId.get(id));
}
