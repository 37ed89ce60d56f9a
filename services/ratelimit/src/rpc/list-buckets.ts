import type { Handler } from '@gatehouse/kit/rpc';
import type { ListBucketsRequest, ListBucketsResponse } from '@gatehouse/proto/ratelimit';
import type { Deps } from '../deps.ts';

export function listBuckets({ reference }: Deps): Handler<ListBucketsRequest, ListBucketsResponse> {
  return () => ({
    buckets: reference.rules.map(({ name, limit, window_seconds, key, aliases }) => ({
      name,
      limit,
      window_seconds,
      key: [...key],
      aliases: [...aliases],
    })),
  });
}
