import type { ExpiredRows } from '@gatehouse/kit/db/retention-job';

/** The rows that the retention job deletes. No statement depends on it: each checks the time itself. */
export const EXPIRED: readonly ExpiredRows[] = [
  { table: 'access_tokens', where: 'expires_at <= now()' },
  // Without an index: the table has only rows of calls in progress.
  { table: 'application_reservations', where: 'expires_at <= now()' },
];
