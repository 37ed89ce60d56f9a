import { loadavg } from 'node:os';
import type { BenchOptions } from '../bench.ts';
import { manyGuilds } from './many-guilds.ts';
import { oneChannel } from './one-channel.ts';
import { realtimeFixture } from './realtime-fixture.ts';
import { sessionMemory } from './session-memory.ts';

/** How fast the WebSocket Gateway tells its sessions what was committed, and what that and a session cost. */
export async function realtime(options: BenchOptions): Promise<Record<string, unknown>> {
  options.say(`load average before: ${load()}`);
  const fixture = await realtimeFixture();
  try {
    return {
      ...(await oneChannel(fixture, options)),
      ...(await manyGuilds(fixture, options)),
      ...(await sessionMemory(fixture, options)),
    };
  } finally {
    options.say(`load average after: ${load()}`);
    await fixture.close();
  }
}

/** Figures of a machine that does other work are worth little. */
function load(): string {
  return loadavg()
    .map((average) => average.toFixed(2))
    .join(' ');
}
