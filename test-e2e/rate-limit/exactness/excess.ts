import { type Amount, fixedExcess, holdsOf, type LeaseCall, leakyExcess, leaseExcess } from './bounds.ts';
import { type LimitName, limitOf } from './limits.ts';
import type { CallerPlan, PlannedCharge, StepRecord } from './records.ts';

/** What happened to one bucket, in the order of its records. */
export interface Charged {
  readonly bucket: LimitName;
  readonly admitted: Amount[];
  readonly refunded: Amount[];
  /** By lease. */
  readonly leases: Map<string, LeaseCall[]>;
}

/** Collects what the records say of each bucket, by its name and identities. A failed call may have had its effect. */
export function chargedBuckets(
  plans: readonly CallerPlan[],
  records: readonly StepRecord[],
): Map<string, Charged> {
  const steps = new Map(plans.map(({ id, steps }) => [id, steps]));
  const buckets = new Map<string, Charged>();
  for (const record of [...records].sort((a, b) => a.start_us - b.start_us || a.step - b.step)) {
    const step = steps.get(record.caller)?.[record.step];
    if (step === undefined) throw new Error(`no such step: ${record.caller} ${record.step}`);
    for (const charge of 'refund' in step ? step.refund : step.check.flat()) {
      const [bucket, identities] = charge;
      const name = `${bucket} ${identities.join(' ')}`;
      const charged = buckets.get(name) ?? {
        bucket: bucket as LimitName, // the plan names no others
        admitted: [],
        refunded: [],
        leases: new Map(),
      };
      buckets.set(name, charged);
      addTo(charged, charge, record, 'refund' in step);
    }
  }
  return buckets;
}

function addTo(charged: Charged, charge: PlannedCharge, record: StepRecord, isRefund: boolean): void {
  const [, , tokens, lease] = charge;
  const amount = { tokens, start_us: record.start_us, end_us: record.end_us };
  if (lease !== undefined) {
    const calls = charged.leases.get(lease) ?? [];
    charged.leases.set(lease, calls);
    calls.push({ ...amount, granted: record.result === 'admitted' });
  } else if (isRefund) charged.refunded.push(amount);
  else if (record.result === 'admitted') charged.admitted.push(amount);
}

/** Tokens or permits beyond the bucket's limit, by its kind. `limit` replaces its own. */
export function excessOf({ bucket, admitted, refunded, leases }: Charged, limit?: number): number {
  const row = limitOf(bucket);
  const rule = { limit: limit ?? row.limit, window_us: row.window_seconds * 1_000_000 };
  if (row.kind === 'fixed_window') return fixedExcess(rule, admitted, refunded);
  if (row.kind === undefined) return leakyExcess(rule, admitted, refunded);
  return leaseExcess(
    rule.limit,
    [...leases.values()].flatMap((calls) => holdsOf(rule.window_us, calls)),
  );
}

export const total = (amounts: readonly Amount[]): number =>
  amounts.reduce((sum, { tokens }) => sum + tokens, 0);
