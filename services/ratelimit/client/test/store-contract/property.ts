import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import { LIMIT_KINDS, type LimitKind, type Rate, rate } from '../../src/leaky-bucket/rate.ts';
import type { Bucket, BucketRule, Charge, Check, Decision } from '../../src/leaky-bucket/store.ts';
import { type OpenStore, START_US } from './harness.ts';
import { type StoreOracle, storeOracle } from './oracle.ts';

const anyWindow = fc.integer({ min: 1, max: 50_000 });
const anyLimit = fc.integer({ min: 1, max: 5000 });
const ratesOf: Readonly<Record<LimitKind, fc.Arbitrary<Rate>>> = {
  leaky_bucket: fc.oneof(
    { weight: 3, arbitrary: fc.tuple(anyLimit, anyWindow).map((pair) => rate(...pair)) },
    {
      weight: 1, // ticks of a millisecond or a second
      arbitrary: fc
        .tuple(fc.integer({ min: 1, max: 8_000_000 }), fc.constantFrom(3600, 86_400, 31_536_000))
        .map((pair) => rate(...pair)),
    },
  ),
  fixed_window: fc.tuple(anyLimit, anyWindow).map((pair) => rate(...pair, 'fixed_window')),
  concurrency: fc
    .tuple(fc.integer({ min: 1, max: 50 }), anyWindow)
    .map((pair) => rate(...pair, 'concurrency')),
};
/** Three rules of any kinds, each unchanged and changed: another window, another limit, or both. */
const anyRules = fc.array(
  fc.constantFrom(...LIMIT_KINDS).chain((kind) => fc.tuple(ratesOf[kind], ratesOf[kind])),
  { minLength: 3, maxLength: 3 },
);

/** A charge before its rules are known. */
const anyCharge = fc.record({
  rule: fc.nat(2),
  anew: fc.boolean(),
  who: fc.constantFrom('a', 'b'),
  lease: fc.constantFrom('x', 'y', 'z'),
  cost: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 40 }) },
    { weight: 2, arbitrary: fc.constant(5000) }, // the limit, whatever it is
    { weight: 1, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: -40, max: -1 }) },
  ),
});
const anySet = fc.uniqueArray(anyCharge, { maxLength: 4, selector: ({ rule, who }) => `${rule} ${who}` });
const anyCheck = fc.array(anySet, { maxLength: 3 });
/** Small and large steps, in the limits' own rhythm and out of it, and now and then back. */
const anyStep = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.integer({ min: 0, max: 2_000_000 }),
  fc.integer({ min: 0, max: 20_000_000_000 }),
  fc.integer({ min: -5_000_000, max: -1 }),
  fc.integer({ min: -20_000_000_000, max: -1 }),
  fc.constantFrom('wait' as const, 'nearly' as const),
);
const anyTraffic = fc.array(
  fc.record({ step: anyStep, checks: fc.array(anyCheck, { minLength: 1, maxLength: 3 }) }),
  { maxLength: 30 },
);

/**
 * A store must decide any traffic like the oracle, and have the oracle's levels. Steps of the clock are random, or
 * exactly the wait that was reported last, or a microsecond less.
 */
export async function storeProperty({ store, setNow }: OpenStore): Promise<void> {
  await fc.assert(
    fc.asyncProperty(anyRules, anyTraffic, async (rates, traffic) => {
      const oracle = storeOracle();
      const first = `account:${randomUUID()}`;
      let now_us = START_US;
      let lastWait_us = 1;
      for (const { step, checks } of traffic) {
        const before_us = now_us;
        now_us += step === 'wait' ? lastWait_us : step === 'nearly' ? lastWait_us - 1 : step;
        const ended = now_us < before_us ? oracle.endedAt(before_us) : [];
        oracle.decide([ended], before_us);
        await store.decide([[ended]]);
        setNow(now_us);
        const named = checks.map((check) => check.map((set) => set.map(nameIn(rates, first))));
        const gone = [
          ...(now_us < before_us ? oracle.emptyAt(before_us) : []),
          ...changedAndEmpty(oracle, named, now_us),
        ];
        gone.forEach(oracle.reset);
        await store.reset(gone);

        const decided = (await store.decide(named)).map(shown);
        const expected = named.map((check) => oracle.decide(check, now_us));
        expect(decided).toEqual(expected.map(shown));
        const stated = named[0] ?? [];
        const outcome = await store.decideAndRead(stated);
        expect(shown(outcome.denial)).toEqual(shown(oracle.decide(stated, now_us)));
        const statesAfter = new Map(outcome.states.map((state) => [nameOf(state), shown(state)]));
        expect(statesAfter).toEqual(
          new Map(stated.flat().map((charge) => [nameOf(charge), shown(oracle.read(charge, now_us))])),
        );
        lastWait_us = expected.findLast((denial) => denial !== undefined)?.retry_after_us ?? lastWait_us;

        const buckets = bucketsOf(named);
        const states = buckets.map((bucket) => oracle.read(bucket, now_us));
        expect((await store.read(buckets)).map(shown)).toEqual(states.map(shown));
      }
    }),
  );
}

type AnyCharge = typeof anyCharge extends fc.Arbitrary<infer T> ? T : never;
type Rates = typeof anyRules extends fc.Arbitrary<infer T> ? T : never;

function nameIn(rates: Rates, first: string): (charge: AnyCharge) => Charge {
  return ({ rule: index, anew, who, lease, cost }) => {
    const found = rates[index]?.[anew ? 1 : 0];
    if (found === undefined) throw new Error(`no rule ${index}`);
    const rule: BucketRule = { name: `rule ${index}`, index, ...found };
    const charge = { rule, key: `${first}|channel:${who}`, cost: Math.min(cost, rule.limit) };
    return rule.kind === 'concurrency' ? { ...charge, lease_id: lease } : charge;
  };
}

/**
 * An empty bucket is no bucket: if a bucket was empty before the clock went back, or is empty under the rule of its
 * last charge and not under the next one, a store may have removed it, or not yet. The test removes it.
 */
function changedAndEmpty(oracle: StoreOracle, checks: readonly Check[], now_us: number): Bucket[] {
  const empty = new Set(oracle.emptyAt(now_us).map(nameOf));
  return checks.flat(2).filter((charge) => {
    const held = oracle.ruleOf(charge);
    const changed = held?.window_us !== charge.rule.window_us || held.limit !== charge.rule.limit;
    return changed && empty.has(nameOf(charge));
  });
}

/** Each named bucket, once, under one of its rules. */
function bucketsOf(checks: readonly Check[]): Bucket[] {
  return [...new Map(checks.flat(2).map((charge) => [nameOf(charge), charge])).values()];
}

function nameOf({ rule, key }: Bucket): string {
  return `${rule.index} ${key}`;
}

/** Without the rule's numbers, which a store may not have, the time, and the leases. */
function shown(answer: Decision | { readonly rule: BucketRule }): unknown {
  return answer === undefined
    ? undefined
    : { ...answer, rule: answer.rule.name, read_at_us: undefined, leases: undefined };
}
