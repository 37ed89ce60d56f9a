import type { PoolClient } from 'pg';

/**
 * SQL: the key of the advisory lock of a user's grants to an application. Exchanges hold it shared; consents,
 * which issue codes, and revocations hold it alone. It is taken before rows are locked, several in the order of their keys, so that nobody waits in a circle.
 */
export function grantLockKey(account_id: string, application_id: string): string {
  return `hashtextextended('grants of ' || ${account_id}::text || ' to ' || ${application_id}::text, 0)`;
}

/**
 * SQL: holds the applications among `ids` that `when` lets it, after the lock above and before rows that hang on them: one
 * that is being deleted is waited for, and is then not among them.
 */
export function holdApplications(ids: string, when = 'true'): string {
  return `SELECT id FROM applications WHERE id IN (${ids}) AND ${when} ORDER BY id FOR KEY SHARE`;
}

/** Locks a user's grants to some applications, alone. False: not all of the applications are there. */
export async function lockGrants(
  tx: PoolClient,
  account_id: string,
  application_ids: readonly string[],
): Promise<boolean> {
  await tx.query({
    name: 'lock_grants',
    text: `SELECT pg_advisory_xact_lock(key) FROM (
             SELECT DISTINCT ${grantLockKey('$1::bigint', 'application_id')} AS key
               FROM unnest($2::bigint[]) AS application_id ORDER BY key) AS keys`,
    values: [account_id, application_ids],
  });
  const { rowCount } = await tx.query({
    name: 'hold_applications',
    text: holdApplications('SELECT unnest($1::bigint[])'),
    values: [application_ids],
  });
  return rowCount === application_ids.length;
}
