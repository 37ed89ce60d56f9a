import type { BenchOptions } from '../bench.ts';
import { type LoadRequest, load, quantile } from '../load/load.ts';
import { takeTurns } from '../load/turns.ts';
import { figureOf, ratioOf } from '../report/figure.ts';
import type { Row } from '../report/table.ts';
import { CROWD, channelOf, IN_SMALL_GUILDS, SMALL_GUILDS, smallGuildOf, tokensOf } from './population.ts';
import { BODY } from './posts.ts';
import type { RealtimeFixture } from './realtime-fixture.ts';
import type { Delivery, Sockets } from './sockets.ts';

const TITLE = 'many guilds';
const POSTS_A_SECOND = 500;
const CONNECTIONS = 64;
const WARM_TURNS = 4;

/** The figures of a turn. */
interface Figures {
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly post_p50_ms: number;
  readonly post_p99_ms: number;
  /** Processor time of the replica per delivery. */
  readonly cpu_us: number;
}

/**
 * Measures sessions in a hundred guilds, under a rate of posts through the edge: the time from a message's commit to
 * its arrival at a session, compared with the latency of the post.
 */
export async function manyGuilds(fixture: RealtimeFixture, options: BenchOptions): Promise<void> {
  if (!options.wants(TITLE)) return;
  const { rounds, seconds, quick, say, report } = options;
  const count = quick ? IN_SMALL_GUILDS / 10 : IN_SMALL_GUILDS;
  const per_second = quick ? POSTS_A_SECOND / 10 : POSTS_A_SECOND;
  say(`${TITLE}: ${count} sessions, ${per_second} posts a second`);
  const server = await fixture.start('realtime');
  const clients = fixture.sockets();
  const tokens = tokensOf(CROWD, count);
  await clients.open({ protocol: 'gateway', address: server.address, tokens });
  const requests = tokens.map(postOf(new URL(fixture.api).pathname));
  const turns: Figures[] = [];
  await takeTurns(TITLE, { warm: WARM_TURNS, counted: rounds * seconds }, options, async (isCounted) => {
    await clients.record();
    const before_us = server.cpuTime_us();
    const { statuses, p50_ms, p99_ms } = await load({
      url: fixture.api,
      connections: CONNECTIONS,
      seconds: 1,
      per_second,
      requests,
    });
    const deliveries = await deliveriesOf(clients, statuses, count / SMALL_GUILDS);
    const cpu_us = (server.cpuTime_us() - before_us) / deliveries.length;
    const late_ms = await lateness(fixture, deliveries);
    if (isCounted)
      turns.push({
        p50_ms: quantile(late_ms, 0.5),
        p99_ms: quantile(late_ms, 0.99),
        post_p50_ms: p50_ms,
        post_p99_ms: p99_ms,
        cpu_us,
      });
  });
  clients.close();
  server.stop();
  report({
    title: TITLE,
    about: `${per_second} posts a second in ${SMALL_GUILDS} guilds: from the commit to the arrival at a session, the latency of the posts, and
the replica's processor time per delivery.`,
    rows: rowsOf(turns),
  });
}

function postOf(prefix: string): (token: string, n: number) => LoadRequest {
  return (token, n) => ({
    method: 'POST',
    path: `${prefix}/channels/${channelOf(smallGuildOf(n))}/messages`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: BODY,
  });
}

async function deliveriesOf(
  clients: Sockets,
  statuses: Readonly<Record<string, number>>,
  sessions_of_a_guild: number,
): Promise<readonly Delivery[]> {
  const { 200: posted = 0, ...others } = statuses;
  if (Object.keys(others).length > 0) throw new Error(`posts were answered ${JSON.stringify(statuses)}`);
  return clients.recorded(posted * sessions_of_a_guild);
}

/** The time from a message's commit to its arrival, for each session and message. */
async function lateness(
  { committed_ms }: RealtimeFixture,
  deliveries: readonly Delivery[],
): Promise<readonly number[]> {
  const committed = await committed_ms([...new Set(deliveries.map(([id]) => id))]);
  return deliveries.map(([id, at_ms]) => at_ms - (committed.get(id) ?? Number.NaN));
}

function rowsOf(turns: readonly Figures[]): Row[] {
  const of = (member: keyof Figures): number[] => turns.map((turn) => turn[member]);
  return [
    { name: 'post', figures: { p50_ms: figureOf(of('post_p50_ms')), p99_ms: figureOf(of('post_p99_ms')) } },
    {
      name: 'delivery',
      compared_with: 'post',
      figures: {
        p50_ms: figureOf(of('p50_ms')),
        p99_ms: figureOf(of('p99_ms')),
        p50_ratio: ratioOf(of('p50_ms'), of('post_p50_ms')),
        p99_ratio: ratioOf(of('p99_ms'), of('post_p99_ms')),
        cpu_us: figureOf(of('cpu_us')),
      },
    },
  ];
}
