import { levelAt, timeToEmpty, waitFor } from '@gatehouse/ratelimit-client/leaky-bucket/bucket-level';
import { windowStart } from '@gatehouse/ratelimit-client/leaky-bucket/fixed-window';
import { liveLeases, permitState } from '@gatehouse/ratelimit-client/leaky-bucket/permits';
import { type Rate, rateOf } from '@gatehouse/ratelimit-client/leaky-bucket/rate';
import type { Bucket, Lease, ReadState } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { leaseDigest } from './lease-digest.ts';

interface StoredLevel {
  readonly rate: Rate;
  readonly level: number;
  readonly last_us: number;
}

/** The state of a stored bucket at `now_us`, under its rule; null if Redis has no such bucket. */
export function storedBucketState(bucket: Bucket, stored: Buffer | null, now_us: number): ReadState {
  const { rule, key, lease_id } = bucket;
  if (rule.kind === 'concurrency') {
    const leases = liveLeases(rule, stored === null ? [] : storedLeases(stored, lease_id), now_us);
    return { ...permitState(bucket, leases, now_us), read_at_us: now_us };
  }
  const found = stored === null ? undefined : storedLevel(stored);
  const level = found === undefined ? 0 : levelAt(rule, found.level, found.rate, found.last_us, now_us);
  const start_us = found?.rate.kind === 'fixed_window' ? windowStart(rule, found.last_us, now_us) : 0;
  const retry_after_us = waitFor(rule, level, 1, start_us, now_us);
  const empty_after_us = timeToEmpty(rule, level, start_us, now_us);
  return { rule, key, level, retry_after_us, empty_after_us, read_at_us: now_us };
}

/** decide.lua describes the stored values. */
function storedLevel(stored: Buffer): StoredLevel | undefined {
  if (stored.length === 28) {
    const rate = rateOf(stored.readUInt32LE(24), stored.readDoubleLE(16), 'leaky_bucket');
    return { rate, level: stored.readDoubleLE(0), last_us: stored.readDoubleLE(8) };
  }
  if (stored.length === 20) {
    const count = stored.readUInt32LE(0);
    return {
      rate: rateOf(count, stored.readDoubleLE(12), 'fixed_window'),
      level: count,
      last_us: stored.readDoubleLE(4),
    };
  }
  return undefined;
}

const LEASE_BYTES = 26;

/** The lease with this ID has it; of the others only the digests are known. */
function storedLeases(stored: Buffer, own_id: string | undefined): Lease[] {
  if (stored.length % LEASE_BYTES !== 1 || stored.toString('latin1', 0, 1) !== 'L') return [];
  const own = own_id === undefined ? undefined : leaseDigest(own_id);
  const leases: Lease[] = [];
  for (let at = 1; at < stored.length; at += LEASE_BYTES) {
    const digest = stored.subarray(at, at + 16);
    const id = own_id !== undefined && own?.equals(digest) === true ? own_id : digest.toString('hex');
    leases.push({ id, ends_us: stored.readDoubleLE(at + 16), permits: stored.readUInt16LE(at + 24) });
  }
  return leases;
}
