import type { ExpiredRows } from '@gatehouse/kit/db/retention-job';

/**
 * The rows that the retention job deletes: expired uploads, counts of past days, emptied slots, and pictures without
 * references. A picture that was readable stays some minutes longer, because clients may be loading it.
 */
export const EXPIRED: readonly ExpiredRows[] = [
  { table: 'uploads', where: `stored_at < now() - interval '1 day'` },
  { table: 'stored_bytes', where: `day < (now() AT TIME ZONE 'UTC')::date` },
  { table: 'kept_pictures', where: `hash IS NULL AND changed_at < now() - interval '1 day'` },
  {
    table: 'pictures',
    where: `unreferenced_since < now() - interval '10 minutes' AND NOT published
            AND NOT EXISTS (SELECT FROM uploads WHERE uploads.hash = pictures.hash)
            AND NOT EXISTS (SELECT FROM kept_pictures AS kept WHERE kept.hash = pictures.hash)`,
  },
];
