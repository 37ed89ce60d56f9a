import type { ExpiredRows } from '@gatehouse/kit/db/retention-job';
import type { Hardening } from '../hardening.ts';
import { isWithinLifetime } from './lifetime.ts';

/** The rows that the retention job deletes. Queries check the time themselves and do not depend on it. */
export function expiredRows({
  code_lifetime_seconds,
  refresh_token_lifetime_days,
}: Hardening): readonly ExpiredRows[] {
  const rows: ExpiredRows[] = [
    { table: 'access_tokens', where: 'expires_at <= now()' },
    // Needs no index: the table has only rows of calls in progress.
    { table: 'application_reservations', where: 'expires_at <= now()' },
    { table: 'consumed_grants', where: 'expires_at <= now()' },
    { table: 'grant_revocations', where: 'expires_at <= now()' },
    { table: 'application_usage', where: "hour <= now() - interval '7 days'" },
    { table: 'application_errors', where: "occurred_at <= now() - interval '7 days'" },
    { table: 'usage_reports', where: "received_at <= now() - interval '1 hour'" },
  ];
  if (code_lifetime_seconds !== undefined)
    rows.push({
      table: 'authorization_codes',
      where: `NOT ${isWithinLifetime(code_lifetime_seconds, 'seconds')}`,
    });
  // An index on the age would slow down every refresh, even without a lifetime.
  if (refresh_token_lifetime_days !== undefined)
    rows.push({
      table: 'refresh_tokens',
      where: `NOT ${isWithinLifetime(refresh_token_lifetime_days, 'days')}`,
      paged_by: 'id',
    });
  return rows;
}
