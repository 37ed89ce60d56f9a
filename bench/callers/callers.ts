import { limitsPrograms } from '../all/pieces/limits.ts';
import type { BenchOptions } from '../bench.ts';
import { type Turns, takeTurns } from '../load/turns.ts';
import { withFixture } from '../parts/fixture.ts';
import { figureOf, ratioOf } from '../report/figure.ts';
import { rateFigures } from '../report/rate-figures.ts';
import type { Row } from '../report/table.ts';
import { startServers } from './servers.ts';
import { buildStreamLoad } from './stream-load.ts';
import { throughEnvoy } from './through-envoy.ts';
import { PEER, type Way, type WayTurn, waysOf } from './ways.ts';

/** Of the first group, for V8's compiler, which takes tens of thousands of calls. */
const FIRST_WARM_TURNS = 6;
const WARM_TURNS = 2;

/**
 * Rate-limit checks of 64 callers, beside envoyproxy/ratelimit with the same limits on the same Redis: ShouldRateLimit and
 * Check by ghz, CheckStream by a load generator in Go, and requests through Envoy. The servers share one core.
 */
export async function callers(options: BenchOptions): Promise<undefined> {
  options.say('looking for ghz, envoyproxy/ratelimit and a Go compiler; Go builds what is missing');
  const [ghz, peer] = await limitsPrograms();
  if (ghz === undefined || peer === undefined)
    throw new Error('NOT MEASURED: ghz and envoyproxy/ratelimit are built by Go. Put go on PATH');
  await withFixture(async (fixture) => {
    const streamLoad = await buildStreamLoad(fixture.folder);
    const servers = await startServers(fixture, peer, options);
    const ways = await waysOf({ ghz, streamLoad, folder: fixture.folder, servers });
    const groups = [...Map.groupBy(ways, ({ connections }) => connections)];
    for (const [n, [connections, group]] of groups.entries()) {
      const title = `callers, ${connections === 1 ? 'one connection' : `${connections} connections`}`;
      const warm = n === 0 ? FIRST_WARM_TURNS : WARM_TURNS;
      await measure(title, group, options, { warm, loops_left: groups.length - n + 1 });
    }
    await throughEnvoy(fixture, servers, options);
  });
}

async function measure(
  title: string,
  ways: readonly Way[],
  options: BenchOptions,
  loop: Pick<Turns, 'warm' | 'loops_left'>,
): Promise<void> {
  const wanted = ways.filter(({ name }) => name === PEER || options.wants(title, name));
  if (!ways.some(({ name }) => options.wants(title, name))) return;
  const turns = new Map<string, WayTurn[]>(wanted.map(({ name }) => [name, []]));
  const counted = options.rounds * options.seconds;
  await takeTurns(title, { ...loop, counted }, options, async (isCounted) => {
    for (const { name, run } of wanted) {
      const turn = await run();
      if (isCounted) turns.get(name)?.push(turn);
    }
  });
  options.report({
    title,
    about:
      '64 callers, each with one check in flight. Processor time is that of the server. One-core ratio: the checks that it ' +
      'makes in the processor time of one check of envoyproxy/ratelimit.',
    rows: wanted.map(({ name }) => rowOf(name, turns)),
  });
}

function rowOf(name: string, turns: ReadonlyMap<string, readonly WayTurn[]>): Row {
  const own = turns.get(name) ?? [];
  const peer = name === PEER ? undefined : turns.get(PEER);
  const processor_us = (those: readonly WayTurn[]): number[] => those.map((turn) => turn.processor_us);
  return {
    name,
    compared_with: PEER,
    unexpected: own.reduce((sum, { failed }) => sum + failed, 0),
    figures: {
      ...rateFigures(own, peer),
      processor_us: figureOf(processor_us(own)),
      ...(peer && { one_core_ratio: ratioOf(processor_us(peer), processor_us(own)) }),
    },
  };
}
