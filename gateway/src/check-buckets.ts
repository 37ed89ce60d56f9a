import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Fault, Status } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import type { Connection } from '@gatehouse/kit/rpc';
import { BUCKETS } from '@gatehouse/proto/buckets';
import type { Bucket, ListBucketsResponse, RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';

const WAIT_MS = 30_000;
const RETRY_MS = 250;

/**
 * Compares the names and keys of the edge's buckets with those that ratelimit serves, and returns the response. So a
 * half-finished roll-out fails at start, not for clients. Waits up to 30 s for ratelimit.
 *
 * @throws Error naming every bucket that differs
 */
export async function checkBuckets(
  ratelimit: Connection<typeof RatelimitServiceDefinition>,
  log: Logger,
): Promise<ListBucketsResponse> {
  const response = await listBuckets(ratelimit, log);
  const served = new Map(response.buckets.map((bucket) => [bucket.name, bucket]));
  const differing = Object.entries(BUCKETS)
    .filter(([name, known]) => !isSame(known, served.get(name)))
    .map(([name]) => name);
  if (differing.length === 0) return response;
  throw new Error(`ratelimit serves other buckets than this edge was built with: ${differing.join(', ')}`);
}

/** Limits and policies may differ: they can change at any time, and the edge applies the served ones. */
function isSame(known: (typeof BUCKETS)[keyof typeof BUCKETS], served: Bucket | undefined): boolean {
  return served !== undefined && isDeepStrictEqual(known.key, served.key);
}

async function listBuckets(
  ratelimit: Connection<typeof RatelimitServiceDefinition>,
  log: Logger,
): Promise<ListBucketsResponse> {
  const deadline_ms = Date.now() + WAIT_MS;
  for (;;) {
    try {
      return await ratelimit.client.listBuckets({}, { timeoutMs: 2_000 });
    } catch (error) {
      if (!(error instanceof Fault) || error.status !== Status.UNAVAILABLE || Date.now() > deadline_ms)
        throw error;
      log.debug('waiting for ratelimit');
      await sleep(RETRY_MS);
    }
  }
}
