import { join } from 'node:path';
import { SERVICE_NAMES } from '@gatehouse/proto/services';
import type { Stack } from '@gatehouse/stack/start-stack';
import type { BenchOptions } from '../bench.ts';
import { type LoadCase, measureGroups } from '../load/in-turns.ts';
import { type Fixture, withFixture } from '../parts/fixture.ts';
import { cpuTimeOfChildren_us } from '../parts/processes.ts';
import { stackTimes_us } from '../parts/processor-times.ts';
import { oauthCases } from './cases.ts';
import { costs } from './cost.ts';
import { lookUps } from './look-ups.ts';
import { populateOauth2, populateOidcProvider } from './population.ts';

/** The connections to each server. */
const POOL_SIZE = '8';

/** Which services share a process. */
const GROUPINGS = { 'eight processes': [], 'one process': [SERVICE_NAMES] } as const;

/**
 * Compares introspection, and refresh with rotation, with oidc-provider: over HTTP, with a million tokens, on the same
 * PostgreSQL with fsync on. Measures the stack in eight processes and in one: rates and latencies in turns, then the
 * processor time per request, and the database's part of an introspection.
 */
export async function oauth2(options: BenchOptions): Promise<undefined> {
  await withFixture(async (fixture) => {
    const postgres = await fixture.postgres({ max_connections: '200' });
    const running = fixture.processes();
    const stacks = await startStacks(fixture, postgres.url);
    options.say('a million tokens in each database');
    await populateOauth2(postgres.url);
    const oidcProvider = await running.start('oidc-provider', {
      NODE_ENV: 'production',
      DATABASE_URL: await populateOidcProvider(postgres.url),
      DATABASE_POOL_SIZE: POOL_SIZE,
    });
    const cases = oauthCases(
      [...stacks].map(([name, { url }]) => ({ name, url })),
      `http://${oidcProvider}`,
    );
    const groups = cases.map(([ours, peer]) => ({
      title: peer.name.split(' ')[0] ?? '',
      connections: peer.connections,
      cases: [peer, ...ours],
    }));
    await measureGroups(groups, options);
    const timesAt = ({ url }: LoadCase) => {
      const stack = [...stacks.values()].find((one) => one.url === url);
      if (stack !== undefined) return stackTimes_us(stack, postgres.pid);
      return { peer: running.cpuTime_us(), postgres: cpuTimeOfChildren_us(postgres.pid) };
    };
    await costs({ cases, timesAt }, options);
    await lookUps(postgres.url, options);
  });
}

/** Starts a stack for each grouping, on the same databases. */
async function startStacks(fixture: Fixture, database_url: string): Promise<ReadonlyMap<string, Stack>> {
  const stacks = new Map<string, Stack>();
  for (const [name, shared_processes] of Object.entries(GROUPINGS))
    stacks.set(
      name,
      await fixture.stack({
        database_url,
        data_dir: join(fixture.folder, name),
        shared_processes,
        env: {
          DATABASE_POOL_SIZE: POOL_SIZE,
          // Each request comes from another address, because an address may send 120 a minute.
          TRUSTED_PROXIES: '127.0.0.1',
        },
      }),
    );
  return stacks;
}
