import type { BenchOptions } from '../bench.ts';
import { CROWD, GUILDS_OF_EACH, IN_MANY_GUILDS, IN_SMALL_GUILDS, tokensOf } from './population.ts';
import type { RealtimeFixture } from './realtime-fixture.ts';

/** Enough sessions to load all guilds, and to grow the heap to its size under simultaneous Identifies. */
const FIRST = 500;
const TITLE = 'memory of a session';

/** The memory of an additional session: connected, idle, of an account in fifty shared guilds. */
export async function sessionMemory(
  fixture: RealtimeFixture,
  { quick, say, report, wants }: BenchOptions,
): Promise<void> {
  if (!wants(TITLE)) return;
  const count = quick ? (3 * FIRST) / 2 : IN_MANY_GUILDS;
  say(`${TITLE}: ${count} sessions`);
  const server = await fixture.start('realtime');
  const clients = fixture.sockets();
  const tokens = tokensOf(CROWD + IN_SMALL_GUILDS, count);
  const open = (some: readonly string[]): Promise<void> =>
    clients.open({ protocol: 'gateway', address: server.address, tokens: some });
  await open(tokens.slice(0, FIRST));
  const before = await server.memory();
  await open(tokens.slice(FIRST));
  const after = await server.memory();
  clients.close();
  server.stop();
  const kibOf = (bytes: (memory: NodeJS.MemoryUsage) => number): number =>
    Math.round((bytes(after) - bytes(before)) / (count - FIRST) / 102.4) / 10;
  const figures = {
    heap_and_external_kib: kibOf(({ heapUsed, external }) => heapUsed + external),
    rss_kib: kibOf(({ rss }) => rss),
  };
  report({ title: TITLE, rows: [{ name: `idle, its account in ${GUILDS_OF_EACH} guilds`, figures }] });
}
