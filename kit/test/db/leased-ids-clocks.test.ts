import { fileURLToPath } from 'node:url';
import { type TestDatabase, testDatabase } from '@gatehouse/dev-env/postgres/test-database';
import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LeasedIds, leasedIds } from '../../src/db/leased-ids.ts';
import { openPool } from '../../src/db/pool.ts';
import { silentLogger } from '../../src/log.ts';

const MIGRATIONS = fileURLToPath(new URL('../fixtures/lease-migrations', import.meta.url));
const NOW = Date.UTC(2026, 0, 1);

let database: TestDatabase;
let db: pg.Pool;
beforeAll(async () => {
  database = await testDatabase(MIGRATIONS, 'leased_ids_clocks');
  db = openPool({ database_url: database.database_url, application_name: 'leased-ids-test', max: 4 });
});
afterAll(async () => {
  await db.end();
  await database.drop();
});

type Step =
  /**
   * Frees the worker ID for another holder. Earlier holders continue, as after a database failover or a leap of its
   * clock.
   */
  | { readonly what: 'lease'; readonly offset_ms: number }
  | { readonly what: 'make'; readonly who: number; readonly count: number }
  | { readonly what: 'step'; readonly who: number; readonly by_ms: number }
  | { readonly what: 'close'; readonly who: number }
  | { readonly what: 'expire' };

interface Holder {
  readonly ids: LeasedIds;
  /** The offset of its clock. */
  offset_ms: number;
}

/** Offsets that are often equal, and often a lease apart. */
const clock_ms = fc.integer({ min: -2, max: 3 }).map((halves) => halves * 30_000);
const who = fc.nat(5);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ what: fc.constant('lease' as const), offset_ms: clock_ms }),
  fc.record({ what: fc.constant('make' as const), who, count: fc.constantFrom(1, 5, 9_000) }),
  fc.record({ what: fc.constant('step' as const), who, by_ms: clock_ms }),
  fc.record({ what: fc.constant('close' as const), who }),
  fc.record({ what: fc.constant('expire' as const) }),
);

const leaseAt = (offset_ms: number): Step => ({ what: 'lease', offset_ms });
const makeFive = (who: number): Step => ({ what: 'make', who, count: 5 });
/** Known difficult cases. */
const EXAMPLES: readonly Step[][] = [
  // The next holder's clock is the same.
  [leaseAt(0), makeFive(0), leaseAt(0), makeFive(1)],
  // A holder with a clock that is behind makes no ID, and returns the worker ID.
  [leaseAt(60_000), makeFive(0), leaseAt(0), { what: 'close', who: 1 }, leaseAt(60_000), makeFive(2)],
  // A holder without a lease continues, and its clock leaps ahead.
  [leaseAt(0), leaseAt(90_000), makeFive(1), { what: 'step', who: 0, by_ms: 90_000 }, makeFive(0)],
];

test('IDs of one worker ID never repeat, for any clocks and any holder that continues without a lease', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 25 }), async (steps) => {
      await db.query('TRUNCATE worker_leases');
      const holders: Holder[] = [];
      const made: string[] = [];
      for (const step of steps) await runStep(step, holders, made);
      await Promise.all(holders.map(({ ids }) => ids.close()));
      expect(new Set(made).size).toBe(made.length);
    }),
    { numRuns: 100, examples: EXAMPLES.map((steps) => [steps]) },
  );
});

async function runStep(step: Step, holders: Holder[], made: string[]): Promise<void> {
  if (step.what === 'lease') holders.push(await nextHolder(step.offset_ms));
  else if (step.what === 'expire') await expire();
  else {
    const holder = holders[step.who % holders.length];
    if (holder === undefined) return;
    if (step.what === 'step') holder.offset_ms += step.by_ms;
    else if (step.what === 'close') await holder.ids.close();
    else made.push(...idsOf(holder, step.count));
  }
}

async function nextHolder(offset_ms: number): Promise<Holder> {
  const clock = () => NOW + offset.offset_ms;
  const offset = { offset_ms };
  for (;;) {
    await expire();
    const workers = { from: 7, to: 7 };
    // An earlier holder may take the lease again first.
    const ids = await leasedIds({ db, workers, log: silentLogger, clock }).catch(() => undefined);
    if (ids !== undefined) return Object.assign(offset, { ids });
  }
}

const expire = () => db.query("UPDATE worker_leases SET leased_until = now() - interval '1 s'");

/** Makes up to this many IDs. */
function idsOf({ ids }: Holder, count: number): string[] {
  const made: string[] = [];
  try {
    while (made.length < count) made.push(ids.next());
  } catch {}
  return made;
}
