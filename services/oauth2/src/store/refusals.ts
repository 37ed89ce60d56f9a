/**
 * SQL: whether auth has suspended an account. A subquery of one value is looked up along its index for each row; a join
 * could read the whole table.
 */
export function isSuspended(account_id: string): string {
  return `coalesce((SELECT suspended FROM suspended_accounts
                     WHERE suspended_accounts.account_id = ${account_id}), false)`;
}

/**
 * SQL: whether a code or token is refused: its account is suspended, or an operator has disabled its application. The index
 * of disabled applications has few rows, so it is faster than the primary key.
 */
export function isRefused(token: string): string {
  return `(${isSuspended(`${token}.account_id`)}
    OR (SELECT id FROM applications
         WHERE applications.id = ${token}.application_id AND disabled_at IS NOT NULL) IS NOT NULL)`;
}

/**
 * SQL: whether a row of `applications` is refused as a client: an operator has disabled it, or its owner is suspended
 * (docs/oauth2.md#refused-applications).
 */
export const IS_REFUSED_CLIENT = `(applications.disabled_at IS NOT NULL OR ${isSuspended('applications.owner_id')})`;
