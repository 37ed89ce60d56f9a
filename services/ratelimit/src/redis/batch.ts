import type { LimitKind } from '@gatehouse/ratelimit-client/leaky-bucket/rate';
import type { BucketState, Charge, Check, Outcome } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { leaseDigest } from './lease-digest.ts';
import { redisKey } from './redis-key.ts';

/** A charge of one step. A set over several slots takes several, which may have to be undone. */
export interface StepCharge extends Charge {
  /** Keeps what an undo of the lease needs: the permits that it has until then, and a LeaseUndo in the outcome. */
  readonly isUndoable?: boolean;
  /** Undoes the grant or renewal of a lease, instead of releasing it. */
  readonly undo?: LeaseUndo;
}

/** The state of a lease before it was granted or renewed. */
export interface LeaseUndo {
  /** Its end now: the lease is left as it is if it was renewed again. 0: it was not granted. */
  readonly granted_us: number;
  /** Its end and permits before; 0 if it is new. */
  readonly ends_us: number;
  readonly permits: number;
}

export interface BatchedCheck {
  readonly check: readonly (readonly StepCharge[])[];
  /** Whether its outcome has the states of its buckets. */
  readonly withStates: boolean;
  /** The caller's check that this is a part of: if it is withdrawn, the part is not sent. Default: `check`. */
  readonly partOf?: Check;
}

export interface StepOutcome extends Outcome {
  /** One for each undoable lease, in order. */
  readonly undos?: readonly LeaseUndo[];
}

/** The arguments of decide.lua. */
export interface Batch {
  readonly keys: readonly string[];
  /** The charges, and their leases if there are any. */
  readonly args: readonly Buffer[];
  /** Whether a charge is of another kind than a leaky bucket. */
  readonly hasOtherKinds: boolean;
  /** In the order of the payload. */
  readonly charges: readonly StepCharge[];
  /** The index of each charge's check. */
  readonly checkOf: readonly number[];
}

const HEAD_BYTES = 8;
const CHARGE_BYTES = 27;
const LEASE_BYTES = 35;
const KIND_CODES: Readonly<Record<LimitKind, number>> = { leaky_bucket: 0, fixed_window: 4, concurrency: 8 };

/**
 * Encodes checks for decide.lua, in little-endian: the time as a double, -1 for the server's own; then each charge:
 * one byte (3: begins a check with states, 2: begins another check, 1: begins a set, 0: none of these; plus the code of its
 * kind), the index of its key from 1 in two bytes, and limit, window and cost as doubles. Each charge of a concurrency limit
 * also has its lease in `leases`: one byte (0: grants, renews or releases it, 1: so that it can be undone, 2: undoes it), the
 * digest of its ID in 16 bytes, and its undo as two doubles and an integer of two bytes.
 */
export function writeBatch(checks: readonly BatchedCheck[], now_us: number): Batch {
  const keyIndexes = new Map<string, number>();
  const charges: StepCharge[] = [];
  const checkOf: number[] = [];
  const payload = Buffer.allocUnsafe(HEAD_BYTES + CHARGE_BYTES * countCharges(checks));
  payload.writeDoubleLE(now_us, 0);
  const leases: Buffer[] = [];
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
        const { kind } = charge.rule;
        if (kind === 'concurrency') leases.push(leaseOf(charge));
        payload.writeUInt8(start + KIND_CODES[kind], at);
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
  const args = leases.length === 0 ? [payload] : [payload, Buffer.concat(leases)];
  return { keys: [...keyIndexes.keys()], args, hasOtherKinds: charges.some(isOfOtherKind), charges, checkOf };
}

function isOfOtherKind({ rule }: StepCharge): boolean {
  return rule.kind !== 'leaky_bucket';
}

function leaseOf({ lease_id = '', isUndoable = false, undo }: StepCharge): Buffer {
  const bytes = Buffer.alloc(LEASE_BYTES);
  bytes.writeUInt8(undo === undefined ? Number(isUndoable) : 2, 0);
  leaseDigest(lease_id).copy(bytes, 1);
  if (undo === undefined) return bytes;
  bytes.writeDoubleLE(undo.granted_us, 17);
  bytes.writeDoubleLE(undo.ends_us, 25);
  bytes.writeUInt16LE(undo.permits, 33);
  return bytes;
}

const NO_STATES: readonly BucketState[] = [];
const ADMITTED: StepOutcome = { denial: undefined, states: NO_STATES };

/**
 * Decodes decide.lua's answer: an outcome for each check.
 *
 * @throws Error for an invalid answer
 */
export function readOutcomes(batch: Batch, checks: readonly BatchedCheck[], reply: unknown): StepOutcome[] {
  const { charges, checkOf } = batch;
  const outcomes = new Array<StepOutcome>(checks.length).fill(ADMITTED);
  const stated = checks.filter(({ withStates }) => withStates);
  if (!Array.isArray(reply) || reply.length % 3 !== 0) throw invalidAnswer();
  const integers: readonly unknown[] = reply;
  const undosFrom = integers.length - 3 * charges.filter(isUndoableLease).length;
  const statesFrom = undosFrom - 3 * countCharges(stated);
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
  if (undosFrom < integers.length) addUndos(outcomes, batch, integers.slice(undosFrom));
  return outcomes;
}

function addUndos(outcomes: StepOutcome[], { charges, checkOf }: Batch, integers: readonly unknown[]): void {
  let from = 0;
  for (const [at, charge] of charges.entries()) {
    if (!isUndoableLease(charge)) continue;
    const [granted_us, ends_us, permits] = threeFrom(integers, from);
    from += 3;
    const index = checkOf[at] ?? 0;
    const outcome = outcomes[index] ?? ADMITTED;
    outcomes[index] = { ...outcome, undos: [...(outcome.undos ?? []), { granted_us, ends_us, permits }] };
  }
}

function isUndoableLease({ isUndoable = false }: StepCharge): boolean {
  return isUndoable;
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
