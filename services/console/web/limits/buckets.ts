import type { Bucket } from '@gatehouse/proto/ratelimit';
import { type Loaded, useLoaded } from '@gatehouse/web/shared/api/use-loaded.ts';
import { call } from '../api/call.ts';

/** The buckets of the deployment. */
export function useBuckets(): Loaded<readonly Bucket[]> {
  return useLoaded(
    async () => (await call<{ items: readonly Bucket[] }>('GET', '/limits/buckets')).items,
    [],
  );
}
