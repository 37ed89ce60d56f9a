import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Pool, PoolClient } from 'pg';
import { findConsumed } from './consumed-grants.ts';
import { grantLockKey, holdApplications } from './grant-lock.ts';

/** Deletes all tokens of a user for some applications: an exchange that is under way leaves none either. */
export function revokeTokens(
  db: Pool,
  account_id: string,
  application_ids: readonly string[],
): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockGrants(tx, account_id, application_ids);
    await deleteTokens(tx, account_id, application_ids);
  });
}

/**
 * Deletes all tokens of a user for an application that presents a code or refresh token which it has consumed. The grant's
 * other consumed ones are forgotten with it: they do not end what the user grants from now on.
 */
export async function revokeReplayed(db: Pool, application_id: string, grant_hash: string): Promise<void> {
  const account_id = await findConsumed(db, application_id, grant_hash);
  if (account_id === undefined) return;
  await inTransaction(db, async (tx) => {
    await lockGrants(tx, account_id, [application_id]);
    const { rowCount } = await tx.query({
      name: 'forget_consumed_grants',
      text: deletion('consumed_grants', 'grant_hash'),
      values: [account_id, [application_id]],
    });
    // Otherwise another replay of the same moment was first.
    if (rowCount !== 0) await deleteTokens(tx, account_id, [application_id]);
  });
}

/** Deletes the access tokens alone. */
export function revokeAccessTokens(db: Pool, account_id: string, application_id: string): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockGrants(tx, account_id, [application_id]);
    await deleteAccessTokens(tx, account_id, [application_id]);
  });
}

async function lockGrants(
  tx: PoolClient,
  account_id: string,
  application_ids: readonly string[],
): Promise<void> {
  await tx.query({
    name: 'lock_grants',
    text: `SELECT pg_advisory_xact_lock(key) FROM (
             SELECT DISTINCT ${grantLockKey('$1::bigint', 'application_id')} AS key
               FROM unnest($2::bigint[]) AS application_id ORDER BY key) AS keys`,
    values: [account_id, application_ids],
  });
  await tx.query({
    name: 'hold_applications',
    text: holdApplications('SELECT unnest($1::bigint[])'),
    values: [application_ids],
  });
}

/** In statements of their own: one that began before the lock was granted would not see what was issued meanwhile. */
async function deleteTokens(
  tx: PoolClient,
  account_id: string,
  application_ids: readonly string[],
): Promise<void> {
  await deleteAccessTokens(tx, account_id, application_ids);
  await tx.query({
    name: 'delete_refresh_tokens',
    text: deletion('refresh_tokens'),
    values: [account_id, application_ids],
  });
}

async function deleteAccessTokens(
  tx: PoolClient,
  account_id: string,
  application_ids: readonly string[],
): Promise<void> {
  await tx.query({
    name: 'delete_access_tokens',
    text: deletion('access_tokens'),
    values: [account_id, application_ids],
  });
}

/** SQL. Rows are locked in the order of their hashes, as by the end of an account, which does not take the lock above. */
function deletion(table: string, hash = 'token_hash'): string {
  return `DELETE FROM ${table} WHERE ${hash} IN (
            SELECT ${hash} FROM ${table} WHERE account_id = $1 AND application_id = ANY ($2::bigint[])
             ORDER BY ${hash} FOR UPDATE)`;
}
