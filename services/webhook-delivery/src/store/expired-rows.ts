import type { ExpiredRows } from '@gatehouse/kit/db/retention-job';

/** What the retention job removes. No statement depends on it: each checks the time itself. */
export const EXPIRED: readonly ExpiredRows[] = [
  { table: 'deliveries', where: "at <= now() - interval '24 hours'" },
  { table: 'delivery_counts', where: "hour <= now() - interval '24 hours'" },
];
