import type { ExpiredRows } from '@gatehouse/kit/db/retention-job';

/** What the retention job removes. A deduplication key is free after 24 hours with or without it. */
export const EXPIRED: readonly ExpiredRows[] = [
  { table: 'deduplication_claims', where: "claimed_at <= now() - interval '24 hours'" },
  // Nobody can use these any more; they are unknown from the moment they end.
  { table: 'invites', where: 'expires_at <= now()' },
  { table: 'invites', where: 'max_uses > 0 AND uses >= max_uses' },
];
