/** The days after which a session ends. Undefined if it never does. */
export interface SessionLifetime {
  /** Counted from its last use. */
  readonly session_idle_days: number | undefined;
  /** Counted from its start. */
  readonly session_max_days: number | undefined;
}

/** SQL: when a session was last used, up to a minute late. */
export const LAST_USED = 'coalesce(last_used_at, created_at)';

/** SQL: a condition for each setting, true for a session that has expired by it. */
export function expiryConditions({ session_idle_days, session_max_days }: SessionLifetime): string[] {
  const conditions: string[] = [];
  if (session_idle_days !== undefined) conditions.push(`${LAST_USED} <= ${ago(session_idle_days)}`);
  if (session_max_days !== undefined) conditions.push(`created_at <= ${ago(session_max_days)}`);
  return conditions;
}

/** SQL to append to a condition: the session is live. Empty if sessions have no maximum age. */
export function andLive(lifetime: SessionLifetime): string {
  return expiryConditions(lifetime)
    .map((expired) => ` AND NOT (${expired})`)
    .join('');
}

function ago(days: number): string {
  return `now() - interval '${days} days'`;
}
