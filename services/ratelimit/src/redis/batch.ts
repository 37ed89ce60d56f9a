import type { BucketState, Charge, Check, Outcome } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { redisKey } from './redis-key.ts';

export interface BatchedCheck {
  readonly check: Check;
  /** Whether its outcome has the states of its buckets. */
  readonly withStates: boolean;
}

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
 * one byte (3: begins a check with states, 2: begins another check, 1: begins a set, 0: none of these), the index of its key
 * from 1 in two bytes, and limit, window and cost as doubles.
 */
export function writeBatch(checks: readonly BatchedCheck[], now_us: number): Batch {
  const keyIndexes = new Map<string, number>();
  const charges: Charge[] = [];
  const checkOf: number[] = [];
  const payload = Buffer.allocUnsafe(HEAD_BYTES + CHARGE_BYTES * countCharges(checks));
  payload.writeDoubleLE(now_us, 0);
  let at = HEAD_BYTES;
  for (const [index, { check, withStates }] of checks.entries()) {
    let start = withStates ? 3 : 2;
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

const NO_STATES: readonly BucketState[] = [];
const ADMITTED: Outcome = { denial: undefined, states: NO_STATES };

/**
 * Decodes decide.lua's answer: an outcome for each check.
 *
 * @throws Error for an invalid answer
 */
export function readOutcomes(batch: Batch, checks: readonly BatchedCheck[], reply: unknown): Outcome[] {
  const { charges, checkOf } = batch;
  const outcomes = new Array<Outcome>(checks.length).fill(ADMITTED);
  const stated = checks.filter(({ withStates }) => withStates);
  if (!Array.isArray(reply) || reply.length % 3 !== 0) throw invalidAnswer();
  const integers: readonly unknown[] = reply;
  const statesFrom = integers.length - 3 * countCharges(stated);
  for (let i = 0; i < statesFrom; i += 3) {
    const [at, retry_after_us, empty_after_us] = threeFrom(integers, i);
    const charge = charges[at];
    if (charge === undefined) throw invalidAnswer();
    const { rule, key } = charge;
    outcomes[checkOf[at] ?? 0] = {
      denial: { rule, key, retry_after_us, empty_after_us },
      states: NO_STATES,
    };
  }
  let from = statesFrom;
  for (const [index, { check, withStates }] of checks.entries()) {
    if (!withStates) continue;
    const states = check.flat().map(({ rule, key }): BucketState => {
      const [level, retry_after_us, empty_after_us] = threeFrom(integers, from);
      from += 3;
      return { rule, key, level, retry_after_us, empty_after_us };
    });
    outcomes[index] = { denial: outcomes[index]?.denial, states };
  }
  return outcomes;
}

function threeFrom(integers: readonly unknown[], from: number): [number, number, number] {
  const first = integers[from];
  const second = integers[from + 1];
  const third = integers[from + 2];
  if (typeof first !== 'number' || typeof second !== 'number' || typeof third !== 'number') {
    throw invalidAnswer();
  }
  return [first, second, third];
}

function invalidAnswer(): Error {
  return new Error('decide.lua: invalid answer');
}

function countCharges(checks: readonly BatchedCheck[]): number {
  let count = 0;
  for (const { check } of checks) for (const set of check) count += set.length;
  return count;
}
