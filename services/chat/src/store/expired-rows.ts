import type { ExpiredRows } from '@gatehouse/kit/db/retention-job';

/** What the retention job removes. A deduplication key is free after 24 hours with or without it. */
export function expired({ audit_log_days }: { readonly audit_log_days: number }): readonly ExpiredRows[] {
  return [
    { table: 'deduplication_claims', where: "claimed_at <= now() - interval '24 hours'" },
    // Nobody can use these any more; they are unknown from the moment they end.
    { table: 'invites', where: 'expires_at <= now()' },
    { table: 'invites', where: 'max_uses > 0 AND uses >= max_uses' },
    {
      table: 'audit_log_entries',
      where: `id >> 22 < ${snowflakeTime(`now() - interval '${audit_log_days} days'`)}`,
    },
  ];
}

/** A time as snowflakes have it: milliseconds since 2015. */
function snowflakeTime(time: string): string {
  return `(extract(epoch FROM ${time}) * 1000)::bigint - 1420070400000`;
}
