import type { Handler } from '@gatehouse/kit/rpc';
import type { BucketUsage, FailedRequest, GetUsageRequest, GetUsageResponse } from '@gatehouse/proto/oauth2';
import { requireOwnedApplication } from '../applications/require-application.ts';
import type { Deps } from '../deps.ts';
import { type BucketRow, type ErrorRow, findErrors, findUsage } from '../store/usage.ts';

export function getUsage({ db, prisma }: Deps): Handler<GetUsageRequest, GetUsageResponse> {
  return async ({ application_id }, call) => {
    const { id } = await requireOwnedApplication(prisma, application_id, call);
    const [buckets, errors] = await Promise.all([findUsage(db, id), findErrors(db, id)]);
    return { buckets: buckets.map(bucketUsage), errors: errors.map(failedRequest) };
  };
}

function bucketUsage(row: BucketRow): BucketUsage {
  return {
    bucket: row.bucket,
    last_24_hours: { requests: row.day_requests, limited: row.day_limited },
    last_7_days: { requests: row.week_requests, limited: row.week_limited },
  };
}

function failedRequest({ occurred_at, ...request }: ErrorRow): FailedRequest {
  return { time: occurred_at.toISOString(), ...request };
}
