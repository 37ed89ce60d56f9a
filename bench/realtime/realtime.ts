import { loadavg } from 'node:os';
import type { BenchOptions } from '../bench.ts';
import { withFixture } from '../parts/fixture.ts';
import { manyGuilds } from './many-guilds.ts';
import { oneChannel } from './one-channel.ts';
import { realtimeFixture } from './realtime-fixture.ts';
import { sessionMemory } from './session-memory.ts';

/** Measures the WebSocket Gateway: latency and cost of deliveries, and memory of a session. */
export async function realtime(options: BenchOptions): Promise<undefined> {
  options.say(`load average before: ${load()}`);
  await withFixture(async (servers) => {
    const fixture = await realtimeFixture(servers);
    await oneChannel(fixture, options);
    await manyGuilds(fixture, options);
    await sessionMemory(fixture, options);
  });
  options.say(`load average after: ${load()}`);
}

/** Printed because other work of the machine makes the figures unreliable. */
function load(): string {
  return loadavg()
    .map((average) => average.toFixed(2))
    .join(' ');
}
