/**
 * SQL: the key of the advisory lock of a user's grants to an application. Who issues tokens holds it shared, who revokes
 * them alone. It is taken before rows are locked, several in the order of their keys, so that nobody waits in a circle.
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
