import type {
  Bucket,
  BucketState,
  Check,
  Denial,
  Outcome,
} from '@gatehouse/ratelimit-client/leaky-bucket/store';
import type { BatchedCheck, StepCharge, StepOutcome } from './batch.ts';
import type { DecideInSlot } from './check-queue.ts';
import { redisKey } from './redis-key.ts';
import { slotOf } from './slots.ts';

type ChargeSet = readonly StepCharge[];
type DecideInOneSlot = (slot: number, check: BatchedCheck['check']) => Promise<StepOutcome>;

/**
 * Decides checks whose buckets are in several slots of a cluster. Consecutive sets of one slot are decided in one step. A set
 * over several slots takes two phases: its parts are charged, each atomically, and if one of them denies, the others are
 * refunded. So the set is charged as a whole or not at all. Between the phases other callers may find a bucket too full,
 * never too empty: so a renewal gives permits back only after the set was admitted. Of a denied set, a new lease is released,
 * and a renewed one is again what it was. States are those after each bucket's own last step.
 */
export function decideAcrossSlots(decideInSlot: DecideInSlot): (check: BatchedCheck) => Promise<Outcome> {
  return async ({ check, withStates }) => {
    const charge: DecideInOneSlot = (slot, part) =>
      decideInSlot(slot, { check: part, withStates, partOf: check });
    /** Of a check that is withdrawn meanwhile too: a set is never left half charged. */
    const settle: DecideInOneSlot = (slot, part) => decideInSlot(slot, { check: part, withStates });
    const states: BucketState[] = [];
    for (const { slot, sets } of stepsOf(check)) {
      const outcome = await (slot === undefined
        ? inTwoPhases(charge, settle, sets.flat())
        : charge(slot, sets));
      states.push(...outcome.states);
      const { denial } = outcome;
      if (denial === undefined) continue;
      if (withStates) states.push(...(await otherStates(charge, check, states)));
      return { denial, states: lastOfEach(states) };
    }
    return { denial: undefined, states: lastOfEach(states) };
  };
}

interface Step {
  /** Undefined: one set over several slots. */
  readonly slot: number | undefined;
  readonly sets: ChargeSet[];
}

function stepsOf(check: Check): Step[] {
  const steps: Step[] = [];
  for (const set of check) {
    if (set.length === 0) continue;
    const slots = new Set(set.map(slotOfCharge));
    const slot = slots.size === 1 ? [...slots][0] : undefined;
    const last = steps.at(-1);
    if (slot !== undefined && last?.slot === slot) last.sets.push(set);
    else steps.push({ slot, sets: [set] });
  }
  return steps;
}

async function inTwoPhases(
  charge: DecideInOneSlot,
  settle: DecideInOneSlot,
  set: ChargeSet,
): Promise<Outcome> {
  const parts = bySlot(set.filter(({ cost }) => cost >= 0).map(undoable));
  const outcomes = await Promise.allSettled(parts.map(([slot, part]) => charge(slot, [part])));
  const decided = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));
  const states = decided.flatMap((outcome) => outcome.states);
  const denial = longest(
    decided.flatMap((outcome) => outcome.denial ?? []),
    set,
  );
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  // A part whose answer was lost may not be charged: refunding it could refund other callers' charges.
  const charged = parts.flatMap(([, part], i) => {
    const outcome = outcomes[i];
    return outcome?.status === 'fulfilled' && outcome.value.denial === undefined
      ? withUndos(part, outcome.value)
      : [];
  });
  if (denial === undefined && failure === undefined) {
    const rest = [...set.filter(({ cost }) => cost < 0), ...charged.flatMap(renewalWithFewerPermits)];
    return { denial, states: [...states, ...(await inParts(settle, rest))] };
  }
  // A lost refund leaves a bucket too full, for at most its window.
  const refunded = await refund(settle, charged).catch(() => []);
  if (denial === undefined) throw failure?.reason;
  return { denial, states: [...states, ...refunded] };
}

function undoable(charge: StepCharge): StepCharge {
  return charge.rule.kind === 'concurrency' && charge.cost > 0 ? { ...charge, isUndoable: true } : charge;
}

/** The charges of a part, each lease with its undo. */
function withUndos(part: ChargeSet, { undos = [] }: StepOutcome): StepCharge[] {
  const rest = undos.values();
  return part.map(({ isUndoable = false, ...charge }) => {
    const undo = isUndoable ? rest.next().value : undefined;
    return undo === undefined ? charge : { ...charge, undo };
  });
}

/** The second step of a renewal with fewer permits: the first one kept those that the lease had. */
function renewalWithFewerPermits({ undo, ...charge }: StepCharge): StepCharge[] {
  return undo !== undefined && undo.permits > charge.cost ? [charge] : [];
}

/** Refunds charges. Leaves out costs of 0, which would be peeks. Returns the states after it. */
async function refund(decide: DecideInOneSlot, charges: ChargeSet): Promise<readonly BucketState[]> {
  const refunds = charges.filter(({ cost }) => cost > 0).map((charge) => ({ ...charge, cost: -charge.cost }));
  return await inParts(decide, refunds);
}

/** The states of the check's buckets without one, which the denial has left as they were; none if a node does not answer. */
async function otherStates(
  decide: DecideInOneSlot,
  check: Check,
  states: readonly BucketState[],
): Promise<readonly BucketState[]> {
  const known = new Set(states.map(redisKey));
  const others = lastOfEach(check.flat()).filter((charge) => !known.has(redisKey(charge)));
  const peeks = others.map((charge) => ({ ...charge, cost: 0 }));
  return await inParts(decide, peeks).catch(() => []);
}

/** The last item of each bucket. */
function lastOfEach<B extends Bucket>(items: readonly B[]): readonly B[] {
  return [...new Map(items.map((item) => [redisKey(item), item])).values()];
}

async function inParts(decide: DecideInOneSlot, charges: ChargeSet): Promise<readonly BucketState[]> {
  const outcomes = await Promise.all(bySlot(charges).map(([slot, part]) => decide(slot, [part])));
  return outcomes.flatMap(({ states }) => states);
}

/** The denial with the longest wait; of equal waits, the first charge's. */
function longest(denials: readonly Denial[], set: ChargeSet): Denial | undefined {
  const indexOf = (denial: Denial) =>
    set.findIndex(({ rule, key }) => rule.name === denial.rule.name && key === denial.key);
  return [...denials].sort((a, b) => b.retry_after_us - a.retry_after_us || indexOf(a) - indexOf(b))[0];
}

function bySlot(charges: ChargeSet): [slot: number, part: StepCharge[]][] {
  return [...Map.groupBy(charges, slotOfCharge)];
}

function slotOfCharge(charge: StepCharge): number {
  return slotOf(redisKey(charge));
}
