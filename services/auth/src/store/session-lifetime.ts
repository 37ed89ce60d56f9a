/** After how many days a session is dead; undefined: never. */
export interface SessionLifetime {
  /** Since it was last used. */
  readonly session_idle_days: number | undefined;
  /** Since it was made. */
  readonly session_max_days: number | undefined;
}

/** SQL: when a session was last used, up to a minute behind. */
export const LAST_USED = 'coalesce(last_used_at, created_at)';

/** SQL: when a row of `sessions` is dead, one condition a setting. */
export function deadSessions({ session_idle_days, session_max_days }: SessionLifetime): string[] {
  const conditions: string[] = [];
  if (session_idle_days !== undefined) conditions.push(`${LAST_USED} <= ${ago(session_idle_days)}`);
  if (session_max_days !== undefined) conditions.push(`created_at <= ${ago(session_max_days)}`);
  return conditions;
}

/** SQL, to follow another condition: that the session is live. Empty where no time ends one. */
export function andLive(lifetime: SessionLifetime): string {
  return deadSessions(lifetime)
    .map((dead) => ` AND NOT (${dead})`)
    .join('');
}

function ago(days: number): string {
  return `now() - interval '${days} days'`;
}
