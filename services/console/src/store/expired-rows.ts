import type { ExpiredRows } from '@gatehouse/kit/db/retention-job';

/** The rows that the retention job deletes. The operators' log has none. */
export const EXPIRED: readonly ExpiredRows[] = [
  { table: 'challenges', where: `created_at < now() - interval '5 minutes'` },
  { table: 'links', where: `created_at < now() - interval '1 hour'` },
  {
    table: 'sessions',
    where: `last_used_at < now() - interval '1 hour' OR created_at < now() - interval '12 hours'
            OR (enrolling AND created_at < now() - interval '15 minutes')`,
  },
];
