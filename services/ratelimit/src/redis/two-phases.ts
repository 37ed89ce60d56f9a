import type { Charge, Check, Decision, Denial } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import type { Ask } from './node-queue.ts';
import { redisKey } from './redis-key.ts';
import { slotOf } from './slots.ts';

type ChargeSet = readonly Charge[];

/**
 * Decides checks whose buckets lie in several slots of a cluster. Consecutive sets of one slot are one step. A set
 * over several slots takes two: its parts are charged, each atomically, and if one of them denies, the others are
 * refunded, so that the set is charged as a whole or not at all. In between, other callers may find a bucket fuller
 * than it will be, never emptier.
 */
export function decideAcrossSlots(ask: Ask): (check: Check) => Promise<Decision> {
  return async (check) => {
    const steps = stepsOf(check);
    for (const { slot, sets } of steps) {
      const denial = await (slot === undefined ? inTwoPhases(ask, sets.flat()) : ask(slot, sets));
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

async function inTwoPhases(ask: Ask, set: ChargeSet): Promise<Decision> {
  const parts = bySlot(set.filter(({ cost }) => cost >= 0));
  const answers = await Promise.allSettled(parts.map(([slot, part]) => ask(slot, [part])));
  const denial = longest(
    answers.flatMap((answer) => (answer.status === 'fulfilled' ? (answer.value ?? []) : [])),
    set,
  );
  const failure = answers.find((answer) => answer.status === 'rejected');
  if (denial === undefined && failure === undefined) {
    await giveBack(
      ask,
      set.filter(({ cost }) => cost < 0),
    );
    return undefined;
  }
  const charged = parts.filter((_, i) => {
    // A part whose answer was lost may not have been charged: it is not refunded, as that would take other callers'
    // charges.
    const answer = answers[i];
    return answer?.status === 'fulfilled' && answer.value === undefined;
  });
  const refunds = charged.flatMap(([, part]) => part.map((charge) => ({ ...charge, cost: -charge.cost })));
  // A lost refund leaves a bucket too full, for at most its window.
  await giveBack(ask, refunds).catch(() => undefined);
  if (denial === undefined) throw failure?.reason;
  return denial;
}

/** A cost of 0 has nothing to refund, and would be a question. */
async function giveBack(ask: Ask, refunds: ChargeSet): Promise<void> {
  const parts = bySlot(refunds.filter(({ cost }) => cost < 0));
  await Promise.all(parts.map(([slot, part]) => ask(slot, [part])));
}

/** The longest wait; of equal ones, the first charge's. */
function longest(denials: readonly Denial[], set: ChargeSet): Decision {
  const place = (denial: Denial) =>
    set.findIndex(({ rule, key }) => rule.name === denial.rule.name && key === denial.key);
  return [...denials].sort((a, b) => b.retry_after_us - a.retry_after_us || place(a) - place(b))[0];
}

function bySlot(charges: ChargeSet): [slot: number, part: Charge[]][] {
  return [...Map.groupBy(charges, slotOfCharge)];
}

function slotOfCharge(charge: Charge): number {
  return slotOf(redisKey(charge));
}
