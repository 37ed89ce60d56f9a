import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Fault, Status } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import type { Connection } from '@gatehouse/kit/rpc';
import { BUCKETS } from '@gatehouse/proto/buckets';
import type { Bucket, RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';

const WAIT_MS = 30_000;
const RETRY_MS = 250;

/**
 * Holds the reference that this edge was built with against the one that ratelimit serves, so that a
 * half-finished roll-out is found at start and not in a 500. Waits for ratelimit for up to 30 s.
 *
 * @throws Error naming every bucket that differs
 */
export async function checkBuckets(
  ratelimit: Connection<typeof RatelimitServiceDefinition>,
  log: Logger,
): Promise<void> {
  const served = new Map((await listBuckets(ratelimit, log)).map((bucket) => [bucket.name, bucket]));
  const differing = Object.entries(BUCKETS)
    .filter(([name, known]) => !isSame(known, served.get(name)))
    .map(([name]) => name);
  if (differing.length === 0) return;
  throw new Error(`ratelimit serves other limits than this edge was built with: ${differing.join(', ')}`);
}

function isSame(known: (typeof BUCKETS)[keyof typeof BUCKETS], served: Bucket | undefined): boolean {
  if (served === undefined) return false;
  const { limit, window_seconds, key } = served;
  return (
    known.limit === limit && known.window_seconds === window_seconds && isDeepStrictEqual(known.key, key)
  );
}

async function listBuckets(
  ratelimit: Connection<typeof RatelimitServiceDefinition>,
  log: Logger,
): Promise<readonly Bucket[]> {
  const giveUpAt = Date.now() + WAIT_MS;
  for (;;) {
    try {
      return (await ratelimit.client.listBuckets({}, { timeoutMs: 2_000 })).buckets;
    } catch (error) {
      if (!(error instanceof Fault) || error.status !== Status.UNAVAILABLE || Date.now() > giveUpAt)
        throw error;
      log.debug('waiting for ratelimit');
      await sleep(RETRY_MS);
    }
  }
}
