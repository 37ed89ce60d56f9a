import { isOnPath } from '@gatehouse/dev-env/programs/apt';
import { execFileAsync } from '@gatehouse/dev-env/programs/exec-file';
import { redisServer } from '@gatehouse/dev-env/redis/redis-server';
import { startEnvoyRatelimit } from '../all/peers/envoy-ratelimit.ts';
import type { BenchOptions } from '../bench.ts';
import type { Fixture } from '../parts/fixture.ts';
import { cpuTimeOf_us } from '../parts/processes.ts';

export interface Server {
  /** host:port of its gRPC. */
  readonly address: string;
  /** Its processor time so far. */
  readonly processor_us: () => number;
}

export interface Servers {
  readonly own: Server;
  /** envoyproxy/ratelimit. */
  readonly peer: Server;
}

/** The core of both servers, which work in turns. Redis and the load generators run on all cores. */
const CORE = '0';

/** Starts both servers on one Redis, and each of them on one core. */
export async function startServers(
  fixture: Fixture,
  program: string,
  { say }: Pick<BenchOptions, 'say'>,
): Promise<Servers> {
  const redis = await redisServer();
  fixture.resources.add('redis', () => redis.close());
  const running = fixture.processes();
  const address = await running.start('ratelimit', {
    REDIS_URL: redis.url,
    RATELIMIT_KEY_SECRET: 'bench-only-secret-of-no-worth-0123456789',
    REDIS_TIMEOUT_MS: '1000', // a check that waits longer would be decided without Redis
  });
  const isPinned = isOnPath('taskset');
  if (!isPinned) say('NOT ON ONE CORE: there is no taskset, so the servers use all cores');
  const peer = await startEnvoyRatelimit(
    program,
    fixture.folder,
    redis.url,
    isPinned ? ['taskset', '-c', CORE] : [],
  );
  fixture.resources.add('envoyproxy/ratelimit', () => peer.close());
  for (const pid of isPinned ? running.pids() : [])
    await execFileAsync('taskset', ['--all-tasks', '--cpu-list', '--pid', CORE, String(pid)]);
  return {
    own: { address, processor_us: () => running.cpuTime_us() },
    peer: { address: peer.address, processor_us: () => cpuTimeOf_us(peer.pid) },
  };
}
