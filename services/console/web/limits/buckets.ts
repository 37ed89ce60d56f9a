import type { Bucket } from '@gatehouse/proto/ratelimit';
import { type Loaded, useLoaded } from '@gatehouse/web/shared/api/use-loaded.ts';
import { call } from '../api/call.ts';

interface BucketsAnswer {
  readonly items?: readonly Bucket[];
  readonly buckets?: readonly Bucket[];
}

/** The buckets of the deployment. */
export function useBuckets(): Loaded<readonly Bucket[]> {
  return useLoaded(async () => {
    const { items, buckets } = await call<BucketsAnswer>('GET', '/limits/buckets');
    return items ?? buckets ?? [];
  }, []);
}
