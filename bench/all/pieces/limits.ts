import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { redisServer } from '@gatehouse/dev-env/redis/redis-server';
import type { BenchOptions } from '../../bench.ts';
import { takeTurns } from '../../load/turns.ts';
import { type Fixture, withFixture } from '../../parts/fixture.ts';
import { rateFigures } from '../../report/rate-figures.ts';
import type { Row } from '../../report/table.ts';
import { envoyRequests } from '../peers/envoy-limits.ts';
import { envoyRatelimitProgram, startEnvoyRatelimit } from '../peers/envoy-ratelimit.ts';
import { type GhzResult, ghz, ghzProgram, SHOULD_RATE_LIMIT } from '../peers/ghz.ts';
import { bothModes, CONNECTIONS, inMode, WARM_TURNS } from './modes.ts';

const TITLE = 'limits';
const FIRST_WARM_TURNS = 4;
const PEER = 'envoyproxy/ratelimit';
const IDENTITIES = 5_000;

interface Server {
  readonly name: string;
  /** host:port */
  readonly address: string;
}

/**
 * Envoy's ShouldRateLimit with two buckets, by ghz, beside envoyproxy/ratelimit with the same limits on the same Redis. Go
 * builds both programs; without it there is nothing to measure.
 */
export async function limits(options: BenchOptions): Promise<undefined> {
  const wanted = CONNECTIONS.filter((connections) => options.wants(`${TITLE} ${connections}`));
  if (wanted.length === 0) return;
  options.say('looking for ghz and envoyproxy/ratelimit; Go builds them on first use');
  const [client, peer] = await limitsPrograms();
  if (client === undefined || peer === undefined)
    throw new Error('NOT MEASURED: ghz and envoyproxy/ratelimit are built by Go. Put go on PATH');
  await withFixture(async (fixture) => {
    const servers = await startAll(fixture, peer, options);
    const requests = join(fixture.folder, 'requests.json');
    await writeFile(requests, JSON.stringify(envoyRequests(IDENTITIES)));
    for (const [n, connections] of wanted.entries()) {
      const warm = n === 0 ? FIRST_WARM_TURNS : WARM_TURNS;
      const results = new Map<string, GhzResult[]>(servers.map(({ name }) => [name, []]));
      const loop = { warm, counted: options.rounds * options.seconds, loops_left: wanted.length - n };
      await takeTurns(`${TITLE} ${connections}`, loop, options, async (isCounted) => {
        for (const { name, address } of servers) {
          const result = await ghz(client, {
            method: SHOULD_RATE_LIMIT,
            address,
            callers: connections,
            connections,
            requests,
          });
          if (isCounted) results.get(name)?.push(result);
        }
      });
      options.report({ title: TITLE, connections, rows: servers.map(({ name }) => rowOf(name, results)) });
    }
  });
}

/** ghz and envoyproxy/ratelimit, built by Go on first use. Undefined without Go. */
export async function limitsPrograms(): Promise<[client: string | undefined, peer: string | undefined]> {
  return [await ghzProgram(), await envoyRatelimitProgram()];
}

async function startAll(fixture: Fixture, program: string, options: BenchOptions): Promise<Server[]> {
  const redis = await redisServer();
  fixture.resources.add('redis', () => redis.close());
  const stacks = await bothModes(fixture, options, { env: { REDIS_URL: redis.url } });
  const peer = await startEnvoyRatelimit(program, fixture.folder, redis.url);
  fixture.resources.add('envoyproxy/ratelimit', () => peer.close());
  return [
    { name: PEER, address: peer.address },
    ...stacks.map(({ mode, stack }) => ({
      name: inMode('ratelimit', mode),
      address: stack.addresses.ratelimit ?? '',
    })),
  ];
}

function rowOf(name: string, results: ReadonlyMap<string, readonly GhzResult[]>): Row {
  const own = results.get(name) ?? [];
  return {
    name,
    compared_with: PEER,
    unexpected: own.reduce((sum, { failed }) => sum + failed, 0),
    figures: rateFigures(own, name === PEER ? undefined : results.get(PEER)),
  };
}
