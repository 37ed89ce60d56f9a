import type { Charge, Check, Decision, Denial } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import type { DecideInSlot } from './check-queue.ts';
import { redisKey } from './redis-key.ts';
import { slotOf } from './slots.ts';

type ChargeSet = readonly Charge[];

/**
 * Decides checks whose buckets are in several slots of a cluster. Consecutive sets of one slot are decided in one step. A set
 * over several slots takes two phases: its parts are charged, each atomically, and if one of them denies, the others are
 * refunded. So the set is charged as a whole or not at all. Between the phases other callers may find a bucket too full,
 * never too empty.
 */
export function decideAcrossSlots(decide: DecideInSlot): (check: Check) => Promise<Decision> {
  return async (check) => {
    for (const { slot, sets } of stepsOf(check)) {
      const denial = await (slot === undefined ? inTwoPhases(decide, sets.flat()) : decide(slot, sets));
      if (denial !== undefined) return denial;
    }
    return undefined;
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

async function inTwoPhases(decide: DecideInSlot, set: ChargeSet): Promise<Decision> {
  const parts = bySlot(set.filter(({ cost }) => cost >= 0));
  const outcomes = await Promise.allSettled(parts.map(([slot, part]) => decide(slot, [part])));
  const denial = longest(
    outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? (outcome.value ?? []) : [])),
    set,
  );
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (denial === undefined && failure === undefined) {
    await refund(
      decide,
      set.filter(({ cost }) => cost < 0),
    );
    return undefined;
  }
  const charged = parts.filter((_, i) => {
    // A part whose answer was lost may not be charged: refunding it could refund other callers' charges.
    const outcome = outcomes[i];
    return outcome?.status === 'fulfilled' && outcome.value === undefined;
  });
  const refunds = charged.flatMap(([, part]) => part.map((charge) => ({ ...charge, cost: -charge.cost })));
  // A lost refund leaves a bucket too full, for at most its window.
  await refund(decide, refunds).catch(() => undefined);
  if (denial === undefined) throw failure?.reason;
  return denial;
}

/** Leaves out costs of 0, which would be peeks. */
async function refund(decide: DecideInSlot, refunds: ChargeSet): Promise<void> {
  const parts = bySlot(refunds.filter(({ cost }) => cost < 0));
  await Promise.all(parts.map(([slot, part]) => decide(slot, [part])));
}

/** The denial with the longest wait; of equal waits, the first charge's. */
function longest(denials: readonly Denial[], set: ChargeSet): Decision {
  const indexOf = (denial: Denial) =>
    set.findIndex(({ rule, key }) => rule.name === denial.rule.name && key === denial.key);
  return [...denials].sort((a, b) => b.retry_after_us - a.retry_after_us || indexOf(a) - indexOf(b))[0];
}

function bySlot(charges: ChargeSet): [slot: number, part: Charge[]][] {
  return [...Map.groupBy(charges, slotOfCharge)];
}

function slotOfCharge(charge: Charge): number {
  return slotOf(redisKey(charge));
}
