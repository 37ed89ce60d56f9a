import type { ExpiredRows } from '@gatehouse/kit/db/retention-job';

/** What the retention job removes. Whoever reads one of these looks at its time. */
export const EXPIRED: readonly ExpiredRows[] = [
  { table: 'access_tokens', where: 'expires_at <= now()' },
  // Without an index: it holds those alone that are being made at this moment.
  { table: 'application_reservations', where: 'expires_at <= now()' },
];
