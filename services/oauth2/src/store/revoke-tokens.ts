import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Pool, PoolClient } from 'pg';
import { grantLockKey, holdApplications } from './grant-lock.ts';

/** Deletes all tokens of a user for some applications: an exchange that is under way leaves none either. */
export function revokeTokens(
  db: Pool,
  account_id: string,
  application_ids: readonly string[],
): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockGrants(tx, account_id, application_ids);
    // In statements of their own: one that began before the lock was granted would not see what was issued meanwhile.
    await deleteAccessTokens(tx, account_id, application_ids);
    await deleteRefreshTokens(tx, account_id, application_ids);
  });
}

/** Deletes all codes and tokens of a user who is gone: an exchange that is under way leaves none either. */
export function endGrants(db: Pool, account_id: string): Promise<void> {
  return inTransaction(db, async (tx) => {
    const { rows } = await tx.query<{ application_id: string }>({
      name: 'list_grants',
      text: `SELECT application_id FROM authorization_codes WHERE account_id = $1
             UNION SELECT application_id FROM refresh_tokens WHERE account_id = $1
             UNION SELECT application_id FROM access_tokens WHERE account_id = $1`,
      values: [account_id],
    });
    const application_ids = rows.map(({ application_id }) => application_id);
    await lockGrants(tx, account_id, application_ids);
    await tx.query({
      name: 'delete_codes',
      text: 'DELETE FROM authorization_codes WHERE account_id = $1 AND application_id = ANY ($2::bigint[])',
      values: [account_id, application_ids],
    });
    await deleteAccessTokens(tx, account_id, application_ids);
    await deleteRefreshTokens(tx, account_id, application_ids);
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

async function deleteAccessTokens(
  tx: PoolClient,
  account_id: string,
  application_ids: readonly string[],
): Promise<void> {
  await tx.query({
    name: 'delete_access_tokens',
    text: 'DELETE FROM access_tokens WHERE account_id = $1 AND application_id = ANY ($2::bigint[])',
    values: [account_id, application_ids],
  });
}

async function deleteRefreshTokens(
  tx: PoolClient,
  account_id: string,
  application_ids: readonly string[],
): Promise<void> {
  await tx.query({
    name: 'delete_refresh_tokens',
    text: 'DELETE FROM refresh_tokens WHERE account_id = $1 AND application_id = ANY ($2::bigint[])',
    values: [account_id, application_ids],
  });
}
