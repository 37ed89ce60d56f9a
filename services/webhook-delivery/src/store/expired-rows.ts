import type { ExpiredRows } from '@gatehouse/kit/db/retention-job';

/** The rows that the retention job deletes. Queries check the time themselves and do not depend on it. */
export const EXPIRED: readonly ExpiredRows[] = [
  { table: 'deliveries', where: "at <= now() - interval '24 hours'" },
  { table: 'delivery_payloads', where: "kept_at <= now() - interval '24 hours'" },
  {
    table: 'payload_keepers',
    where: `enabled_at <= now() - interval '30 days'
        AND NOT EXISTS (SELECT FROM webhooks WHERE webhooks.guild_id = payload_keepers.guild_id)`,
    paged_by: 'guild_id',
  },
  { table: 'delivery_counts', where: "hour <= now() - interval '24 hours'" },
];
