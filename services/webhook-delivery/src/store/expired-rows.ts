import type { ExpiredRows } from '@gatehouse/kit/db/retention-job';

/** The rows that the retention job deletes. Queries check the time themselves and do not depend on it. */
export const EXPIRED: readonly ExpiredRows[] = [
  { table: 'deliveries', where: "at <= now() - interval '24 hours'" },
  { table: 'delivery_counts', where: "hour <= now() - interval '24 hours'" },
];
