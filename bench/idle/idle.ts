import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@gatehouse/dev-env/postgres/embedded-postgres';
import { withClient } from '@gatehouse/kit/db/with-client';
import { type Resources, resourceStack } from '@gatehouse/kit/lifecycle';
import type { BenchOptions } from '../bench.ts';
import { twoDecimals } from '../load/two-decimals.ts';
import { withFixture } from '../parts/fixture.ts';
import { type ProcessUse, treeOf, useOf } from './process-use.ts';

const START = fileURLToPath(new URL('../../scripts/start.ts', import.meta.url));
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
        const stack = await startIdle(env, join(folder, name), resources);
        await sleep(SETTLING_MS);
        say(`measuring for ${rounds * seconds} s: ${name}`);
        const uses = Object.entries(await measure(stack, rounds * seconds));
        report({ title: name, rows: uses.map(([process, figures]) => ({ name: process, figures })) });
      } finally {
        await resources.close();
      }
    }
  });
}

interface IdleStack {
  readonly pid: number;
  readonly postgres: EmbeddedPostgres;
}

async function startIdle(env: NodeJS.ProcessEnv, folder: string, resources: Resources): Promise<IdleStack> {
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'database') });
  resources.add('postgres', () => postgres.close());
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', START], {
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: postgres.url,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  resources.add('stack', () => end(child));
  for await (const line of createInterface({ input: child.stdout }))
    if (line.startsWith('ready ')) return { pid: child.pid ?? 0, postgres };
  throw new Error('the stack did not start');
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function measure(
  { pid, postgres }: IdleStack,
  seconds: number,
): Promise<Record<string, Record<string, number>>> {
  const transactions = await transactionsOf(postgres.url);
  const before = [useOf(treeOf(pid)), useOf(treeOf(postgres.pid))] as const;
  const startedAt_ms = performance.now();
  await sleep(seconds * 1_000);
  const elapsed_s = (performance.now() - startedAt_ms) / 1_000;
  const after = [useOf(treeOf(pid)), useOf(treeOf(postgres.pid))] as const;
  const committed = (await transactionsOf(postgres.url)) - transactions;
  const [services, database] = [
    differences(before[0], after[0], elapsed_s),
    differences(before[1], after[1], elapsed_s),
  ];
  return {
    ...services,
    'all services': sumOf(Object.values(services)),
    ...database,
    PostgreSQL: { ...sumOf(Object.values(database)), transactions_per_s: twoDecimals(committed / elapsed_s) },
    everything: sumOf([...Object.values(services), ...Object.values(database)]),
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

function differences(
  before: ReadonlyMap<string, ProcessUse>,
  after: ReadonlyMap<string, ProcessUse>,
  seconds: number,
): Record<string, Record<string, number>> {
  return Object.fromEntries(
    [...after].map(([name, now]) => {
      const earlier = before.get(name) ?? { cpu_us: 0, wakeups: 0 };
      return [
        name,
        {
          cpu_percent: twoDecimals((now.cpu_us - earlier.cpu_us) / seconds / 10_000),
          wakeups_per_s: twoDecimals((now.wakeups - earlier.wakeups) / seconds),
          rss_MiB: Math.round(now.rss_MiB),
          pss_MiB: Math.round(now.pss_MiB),
        },
      ];
    }),
  );
}

function sumOf(rows: readonly Record<string, number>[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const row of rows)
    for (const [name, value] of Object.entries(row)) sum[name] = twoDecimals((sum[name] ?? 0) + value);
  return sum;
}
