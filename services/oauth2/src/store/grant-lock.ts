import type { PoolClient } from 'pg';

/**
 * SQL: the key of the advisory lock of a user's authorization of an application: its codes and tokens. Exchanges share
 * the lock; consents (which issue codes) and revocations take it exclusively. To avoid deadlocks, it comes before row
 * locks, and several are taken in the order of their keys.
 */
export function authorizationLockKey(account_id: string, application_id: string): string {
  return `hashtextextended('grants of ' || ${account_id}::text || ' to ' || ${application_id}::text, 0)`;
}

/**
 * SQL: locks the applications among `ids` if `when` is true, after the advisory lock and before locks of codes and
 * tokens. It waits for a concurrent deletion of an application, and then does not return it.
 */
export function lockApplications(ids: string, when = 'true'): string {
  return `SELECT id FROM applications WHERE id IN (${ids}) AND ${when} ORDER BY id FOR KEY SHARE`;
}

/**
 * Takes the exclusive locks of a user's authorizations of some applications. Returns false if an application is
 * missing.
 */
export async function lockAuthorizations(
  tx: PoolClient,
  account_id: string,
  application_ids: readonly string[],
): Promise<boolean> {
  await tx.query({
    name: 'lock_authorizations',
    text: `SELECT pg_advisory_xact_lock(key) FROM (
             SELECT DISTINCT ${authorizationLockKey('$1::bigint', 'application_id')} AS key
               FROM unnest($2::bigint[]) AS application_id ORDER BY key) AS keys`,
    values: [account_id, application_ids],
  });
  const { rowCount } = await tx.query({
    name: 'lock_applications',
    text: lockApplications('SELECT unnest($1::bigint[])'),
    values: [application_ids],
  });
  return rowCount === application_ids.length;
}
