import type { Charge, Check, Decision } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { redisKey } from './redis-key.ts';

/** The arguments of decide.lua. */
export interface Batch {
  readonly keys: readonly string[];
  readonly payload: Buffer;
  /** In the order of the payload. */
  readonly charges: readonly Charge[];
  /** The index of each charge's check. */
  readonly checkOf: readonly number[];
}

const HEAD_BYTES = 8;
const CHARGE_BYTES = 27;

/**
 * Encodes checks for decide.lua, in little-endian: the time as a double, -1 for the server's own; then each charge:
 * one byte (2: begins a check, 1: begins a set, 0: neither), the index of its key from 1 in two bytes, and limit,
 * window and cost as doubles.
 */
export function writeBatch(checks: readonly Check[], now_us: number): Batch {
  const keyIndexes = new Map<string, number>();
  const charges: Charge[] = [];
  const checkOf: number[] = [];
  const payload = Buffer.allocUnsafe(HEAD_BYTES + CHARGE_BYTES * countCharges(checks));
  payload.writeDoubleLE(now_us, 0);
  let at = HEAD_BYTES;
  for (const [index, check] of checks.entries()) {
    let start = 2;
    for (const set of check) {
      for (const charge of set) {
        const key = redisKey(charge);
        let keyIndex = keyIndexes.get(key);
        if (keyIndex === undefined) {
          keyIndex = keyIndexes.size + 1;
          keyIndexes.set(key, keyIndex);
        }
        payload.writeUInt8(start, at);
        payload.writeUInt16LE(keyIndex, at + 1);
        payload.writeDoubleLE(charge.rule.limit, at + 3);
        payload.writeDoubleLE(charge.rule.window_us, at + 11);
        payload.writeDoubleLE(charge.cost, at + 19);
        at += CHARGE_BYTES;
        charges.push(charge);
        checkOf.push(index);
        start = 0;
      }
      start = Math.max(start, 1);
    }
  }
  return { keys: [...keyIndexes.keys()], payload, charges, checkOf };
}

/**
 * Decodes decide.lua's answer: a decision for each check.
 *
 * @throws Error for an invalid answer
 */
export function readDecisions({ charges, checkOf }: Batch, checks: number, reply: unknown): Decision[] {
  const decisions = new Array<Decision>(checks).fill(undefined);
  if (!Array.isArray(reply) || reply.length % 3 !== 0) throw new Error('decide.lua: invalid answer');
  for (let i = 0; i < reply.length; i += 3) {
    const [at, retry_after_us, empty_after_us]: unknown[] = reply.slice(i, i + 3);
    const charge = typeof at === 'number' ? charges[at] : undefined;
    if (charge === undefined || typeof retry_after_us !== 'number' || typeof empty_after_us !== 'number') {
      throw new Error('decide.lua: invalid answer');
    }
    const { rule, key } = charge;
    decisions[checkOf[Number(at)] ?? 0] = { rule, key, retry_after_us, empty_after_us };
  }
  return decisions;
}

function countCharges(checks: readonly Check[]): number {
  let count = 0;
  for (const check of checks) for (const set of check) count += set.length;
  return count;
}
