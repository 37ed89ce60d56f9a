import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '@gatehouse/kit/db/with-client';
import { resourceStack } from '@gatehouse/kit/lifecycle';
import type { BenchOptions } from '../bench.ts';
import { twoDecimals } from '../load/two-decimals.ts';
import { withFixture } from '../parts/fixture.ts';
import { npmStart, type StartedStack } from '../parts/npm-start.ts';
import { type ProcessUse, treeOf, usesOf } from './process-use.ts';

/** After the start, statements are still prepared, caches filled and code compiled. */
const SETTLING_MS = 15_000;

/** Which services share a process, as settings of `npm start`. */
const GROUPINGS: readonly (readonly [name: string, env: NodeJS.ProcessEnv])[] = [
  ['eight processes', {}],
  ['one process', { ONE_PROCESS: 'yes' }],
];

/**
 * A stack without clients, in eight processes and in one: processor time, wake-ups and memory of each process,
 * PostgreSQL's included, and the statements per second. One window of `rounds` × `seconds`.
 */
export async function idle({ rounds, seconds, say, report, wants }: BenchOptions): Promise<undefined> {
  await withFixture(async ({ folder }) => {
    for (const [name, env] of GROUPINGS.filter(([grouping]) => wants(grouping))) {
      const resources = resourceStack();
      try {
        say(`starting the stack: ${name}`);
        const stack = await npmStart(env, join(folder, name), resources);
        await sleep(SETTLING_MS);
        say(`measuring for ${rounds * seconds} s: ${name}`);
        const { processes, transactions_per_s } = await measure(stack, rounds * seconds);
        const uses = Object.entries(processes);
        report({ title: name, rows: uses.map(([process, figures]) => ({ name: process, figures })) });
        const transactions = { name: 'transactions of PostgreSQL', figures: { transactions_per_s } };
        report({ title: `${name}, PostgreSQL`, rows: [transactions] });
      } finally {
        await resources.close();
      }
    }
  });
}

interface Idleness {
  readonly processes: Readonly<Record<string, Record<string, number>>>;
  readonly transactions_per_s: number;
}

async function measure({ pid, postgres }: StartedStack, seconds: number): Promise<Idleness> {
  const transactions = await transactionsOf(postgres.url);
  const before = new Map([...usesOf(treeOf(pid)), ...usesOf(treeOf(postgres.pid))]);
  const startedAt_ms = performance.now();
  await sleep(seconds * 1_000);
  const elapsed_s = (performance.now() - startedAt_ms) / 1_000;
  const services = rowsOf(before, usesOf(treeOf(pid)), elapsed_s);
  const database = rowsOf(before, usesOf(treeOf(postgres.pid)), elapsed_s);
  const committed = (await transactionsOf(postgres.url)) - transactions;
  return {
    processes: {
      ...services,
      'all services': sumOf(Object.values(services)),
      ...database,
      PostgreSQL: sumOf(Object.values(database)),
      everything: sumOf([...Object.values(services), ...Object.values(database)]),
    },
    transactions_per_s: twoDecimals(committed / elapsed_s),
  };
}

/** Committed and rolled back transactions of all databases, other than those that this function makes itself. */
async function transactionsOf(url: string): Promise<number> {
  return withClient({ connectionString: new URL('/postgres', url).href }, async (client) => {
    const { rows } = await client.query<{ transactions: string }>(
      `SELECT sum(xact_commit + xact_rollback) AS transactions FROM pg_stat_database
       WHERE datname <> current_database()`,
    );
    return Number(rows[0]?.transactions);
  });
}

/** A row for each name, of the processes that run at the end. A connection to PostgreSQL may have been closed meanwhile. */
function rowsOf(
  before: ReadonlyMap<number, ProcessUse>,
  after: ReadonlyMap<number, ProcessUse>,
  seconds: number,
): Record<string, Record<string, number>> {
  const byName = Map.groupBy(after, ([, { name }]) => name);
  return Object.fromEntries(
    [...byName].map(([name, uses]) => [
      name,
      sumOf(
        uses.map(([pid, now]) => ({
          cpu_percent: (now.cpu_us - (before.get(pid)?.cpu_us ?? 0)) / seconds / 10_000,
          wakeups_per_s: (now.wakeups - (before.get(pid)?.wakeups ?? 0)) / seconds,
          rss_MiB: now.rss_MiB,
          pss_MiB: now.pss_MiB,
        })),
      ),
    ]),
  );
}

function sumOf(rows: readonly Record<string, number>[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const row of rows)
    for (const [name, value] of Object.entries(row)) sum[name] = (sum[name] ?? 0) + value;
  return Object.fromEntries(Object.entries(sum).map(([name, value]) => [name, twoDecimals(value)]));
}
