import { addToSet } from '@gatehouse/ratelimit-client/leaky-bucket/add-to-set';
import { chargeIn } from '@gatehouse/ratelimit-client/leaky-bucket/charge-in';
import type { BucketState, Denial } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import type { Decider } from '../checks/decider.ts';
import { costOf, type LimitCharge } from './read-request.ts';

/** The decision of a request's limits. */
export interface RequestDecision {
  /** Undefined: admitted. Of several quotas, the one with the shortest wait. */
  readonly denial: Denial | undefined;
  /** Every bucket that denied its own charge, also where the request passes: quotas, and limits in shadow mode. */
  readonly exhausted: readonly Denial[];
  /** The buckets' states after the decision, as far as they are known. */
  readonly states: readonly BucketState[];
  readonly degraded: boolean;
}

/** A set of charges. A lenient one does not end the check when it denies. */
interface LimitSet {
  readonly charges: readonly LimitCharge[];
  readonly mode: LimitCharge['mode'];
}

/**
 * Charges the limits of a request, in order: the enforced ones as one set, all or none; then, unless that denies, each quota
 * and each limit in shadow mode by itself. Several quotas deny together only, so a single one is enforced.
 */
export async function decideRequest(
  charges: readonly LimitCharge[],
  decider: Pick<Decider, 'decideAndRead' | 'refund'>,
): Promise<RequestDecision> {
  if (charges.length > 0 && charges.every(({ cost }) => cost < 0)) return refund(charges, decider);
  const exhausted: Denial[] = [];
  const states: BucketState[] = [];
  let degraded = false;
  const sets = setsOf(charges);
  let quotas = sets.filter(({ mode }) => mode === 'quota').length;
  let shortest: Denial | undefined;
  for (let rest = sets; rest.length > 0; ) {
    const verdict = await decider.decideAndRead(rest.map((set) => set.charges));
    states.push(...verdict.states);
    degraded ||= verdict.degraded;
    const { denial } = verdict;
    if (denial === undefined) break;
    exhausted.push(denial);
    const at = rest.findIndex((set) => chargeIn(set.charges, denial) !== undefined);
    const mode = rest[at]?.mode ?? 'enforced';
    if (mode === 'enforced') return { denial, exhausted, states, degraded };
    if (mode === 'quota') {
      shortest =
        shortest !== undefined && shortest.retry_after_us < denial.retry_after_us ? shortest : denial;
      quotas--;
      if (quotas === 0) return { denial: shortest, exhausted, states, degraded };
    }
    rest = rest.slice(at + 1);
  }
  return { denial: undefined, exhausted, states, degraded };
}

async function refund(
  charges: readonly LimitCharge[],
  decider: Pick<Decider, 'refund'>,
): Promise<RequestDecision> {
  const states = await decider.refund(merged(charges).map((charge) => ({ ...charge, cost: -charge.cost })));
  return { denial: undefined, exhausted: [], states, degraded: false };
}

function setsOf(charges: readonly LimitCharge[]): LimitSet[] {
  const byMode = (mode: LimitCharge['mode']) => merged(charges.filter((charge) => charge.mode === mode));
  const quotas = byMode('quota');
  const enforced = [...byMode('enforced'), ...(quotas.length === 1 ? quotas : [])];
  const alone = [...(quotas.length > 1 ? quotas : []), ...byMode('shadow')];
  return [
    { charges: enforced, mode: 'enforced' as const },
    ...alone.map((charge) => ({ charges: [charge], mode: charge.mode })),
  ].filter((set) => set.charges.length > 0);
}

/** A bucket that several descriptors name is charged the sum. */
function merged(charges: readonly LimitCharge[]): LimitCharge[] {
  const set: LimitCharge[] = [];
  for (const charge of charges) {
    addToSet(set, charge, (earlier) => costOf(charge.shown.requests_per_unit, earlier.cost + charge.cost));
  }
  return set;
}
