import type { ExpiredRows } from '@gatehouse/kit/db/retention-job';
import { SNOWFLAKE_EPOCH_MS } from '@gatehouse/kit/snowflake';

/** The rows that the retention job deletes. A deduplication key is free after 24 hours with or without its row. */
export function expired({ audit_log_days }: { readonly audit_log_days: number }): readonly ExpiredRows[] {
  return [
    { table: 'deduplication_claims', where: "claimed_at <= now() - interval '24 hours'" },
    // Expired invites cannot be used, even while their rows exist.
    { table: 'invites', where: 'expires_at <= now()' },
    { table: 'invites', where: 'max_uses > 0 AND uses >= max_uses' },
    {
      table: 'audit_log_entries',
      where: `id >> 22 < (extract(epoch FROM now() - interval '${audit_log_days} days') * 1000)::bigint
        - ${SNOWFLAKE_EPOCH_MS}`,
    },
  ];
}
