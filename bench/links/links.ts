import type { BenchOptions } from '../bench.ts';
import { medians } from '../load/load.ts';
import { withFixture } from '../parts/fixture.ts';
import type { Processes } from '../parts/processes.ts';
import { perSecond } from '../ratelimit/rate.ts';
import { type IdentifyClient, identifyClients } from './clients.ts';

const CONCURRENCIES = [64, 8, 1];

type Turn = Readonly<Record<'per_second' | 'client_us' | 'server_us', number>>;

/**
 * Compares an RPC with small messages on one connection: over the call stream, unary by the kit, by grpc-js and by
 * connect-node. Reports calls per second by calls in flight, and the processor time per call on each side.
 */
export async function links({ rounds, seconds, say }: BenchOptions): Promise<Record<string, unknown>> {
  return withFixture(async (fixture) => {
    const servers = fixture.processes();
    const [, kit = ''] = (await servers.start('stubs')).split(',');
    const [grpcJs, connect] = [await servers.start('grpc-js'), await servers.start('connect-node')];
    const clients = identifyClients({ kit, grpcJs, connect });
    for (const client of clients) fixture.resources.add(client.name, () => client.close());

    const cases = CONCURRENCIES.flatMap((concurrency) =>
      clients.map((client) => ({ client, concurrency, turns: [] as Turn[] })),
    );
    for (let round = 0; round <= rounds; round++) {
      for (const { client, concurrency, turns } of cases) {
        const turn = await measure(client, concurrency, seconds, servers);
        if (round > 0) turns.push(turn); // The first round warms up.
      }
      say(round === 0 ? 'warm' : `round ${round} of ${rounds}`);
    }
    return Object.fromEntries(
      cases.map(({ client, concurrency, turns }) => [
        `${client.name}, ${concurrency}`,
        medians(turns, Math.round),
      ]),
    );
  });
}

async function measure(
  client: IdentifyClient,
  concurrency: number,
  seconds: number,
  servers: Processes,
): Promise<Turn> {
  const [own, others] = [process.cpuUsage(), servers.cpuTime_us()];
  let calls = 0;
  const once = async () => {
    await client.identify();
    calls++;
    return 1;
  };
  const per_second = await perSecond({ name: client.name, concurrency, once }, seconds);
  const { user, system } = process.cpuUsage(own);
  return {
    per_second,
    client_us: (user + system) / calls,
    server_us: (servers.cpuTime_us() - others) / calls,
  };
}
