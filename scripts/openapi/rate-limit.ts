import { createHash } from 'node:crypto';
import { type BucketFacts, describeRow } from '@gatehouse/cli/commands/routes/describe-row';
import type { Route } from '@gatehouse/gateway/route';
import type { JsonSchema } from './json-schema.ts';

/** `x-rate-limit` of an operation: its buckets, and those that members of the body add. */
export function rateLimitOf(row: Route): JsonSchema {
  const { buckets, member_buckets, global_exempt } = describeRow(row);
  const byMember = member_buckets.map(({ member, changed, several, buckets: more }) => ({
    member,
    when: changed ? 'changed' : several ? 'several' : 'present',
    buckets: more.map(bucket),
  }));
  return {
    global: !global_exempt,
    buckets: buckets.map(bucket),
    ...(byMember.length > 0 && { by_member: byMember }),
  };
}

function bucket({ name, limit, window_seconds, by }: BucketFacts): JsonSchema {
  return { name, id: bucketId(name), limit, window_seconds, key: by };
}

/** The value of X-RateLimit-Bucket (docs/rate-limits.md#bucket-identifiers). */
function bucketId(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 16);
}
