import type { BenchOptions } from '../bench.ts';
import { takeTurns } from '../load/turns.ts';
import { withFixture } from '../parts/fixture.ts';
import type { Processes } from '../parts/processes.ts';
import { perSecond } from '../ratelimit/rate.ts';
import { figuresOf } from '../report/figure.ts';
import { type IdentifyClient, identifyClients } from './clients.ts';

const CONCURRENCIES = [64, 8, 1];

type Turn = Readonly<Record<'per_second' | 'client_us' | 'server_us', number>>;

/**
 * Compares an RPC with small messages on one connection: over the call stream, unary by the kit, by grpc-js and by
 * connect-node. Reports calls per second by calls in flight, and the processor time per call on each side.
 */
export async function links(options: BenchOptions): Promise<undefined> {
  await withFixture(async (fixture) => {
    const servers = fixture.processes();
    const [, kit = ''] = (await servers.start('stubs')).split(',');
    const [grpcJs, connect] = [await servers.start('grpc-js'), await servers.start('connect-node')];
    const clients = identifyClients({ kit, grpcJs, connect });
    for (const client of clients) fixture.resources.add(client.name, () => client.close());

    for (const [n, concurrency] of CONCURRENCIES.entries()) {
      const title = `${concurrency} calls in flight`;
      const wanted = clients.filter(({ name }) => options.wants(title, name));
      if (wanted.length === 0) continue;
      const turns = new Map<string, Turn[]>(wanted.map(({ name }) => [name, []]));
      const loop = { warm: 1, counted: options.rounds, loops_left: CONCURRENCIES.length - n };
      await takeTurns(title, loop, options, async (isCounted) => {
        for (const client of wanted) {
          const turn = await measure(client, concurrency, options.seconds, servers);
          if (isCounted) turns.get(client.name)?.push(turn);
        }
      });
      options.report({ title, rows: [...turns].map(([name, own]) => ({ name, figures: figuresOf(own) })) });
    }
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
