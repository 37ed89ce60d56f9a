import type { Handler } from '@gatehouse/kit/rpc';
import type { GetStatisticsRequest, GetStatisticsResponse } from '@gatehouse/proto/ratelimit';
import type { Deps } from '../deps.ts';

export function getStatistics(deps: Deps): Handler<GetStatisticsRequest, GetStatisticsResponse> {
  const { statistics, store_name, memory, isStoreUp } = deps;
  const startedAt = performance.now();
  return () => ({
    ...statistics.counts(),
    buckets: [...statistics.buckets()],
    live_buckets: memory.size(),
    store: store_name,
    store_up: isStoreUp(),
    uptime_seconds: Math.floor((performance.now() - startedAt) / 1000),
  });
}
