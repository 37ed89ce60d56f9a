import { databaseUrl, openPool } from '@gatehouse/kit/db/pool';
import type { BenchOptions } from '../../bench.ts';
import { quantile } from '../../load/load.ts';
import { takeTurns } from '../../load/turns.ts';
import { type Fixture, withFixture } from '../../parts/fixture.ts';
import { CROWD, channelOf, populateRealtime, tokensOf } from '../../realtime/population.ts';
import { posts } from '../../realtime/posts.ts';
import { commitTimes_ms } from '../../realtime/realtime-fixture.ts';
import { type Sockets, sockets } from '../../realtime/sockets.ts';
import { figureOf, ratioOf } from '../../report/figure.ts';
import type { Row } from '../../report/table.ts';
import { bothModes, inMode, type ModeStack } from './modes.ts';

/** The sockets of each group, which receive all events. */
const CONNECTIONS = [10, 100, 1_000] as const;
const EVENTS = 10;
const WARM_TURNS = 2;
const PEERS = ['bare-ws', 'socket.io'] as const;
const TITLE = 'deliveries';

interface Candidate {
  readonly name: string;
  readonly clients: Sockets;
  /** Opens sockets until there are as many. */
  open(connections: number): Promise<void>;
  /** Sends ten events to all sockets. Returns the time of the start, in milliseconds since 1970. */
  send(): Promise<number>;
}

interface Turn {
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

/**
 * Deliveries of ten events to all sockets: ten simultaneous messages of one channel through the Gateway, and the same
 * frames broadcast by a bare ws server and by Socket.IO.
 */
export async function deliveries(options: BenchOptions): Promise<undefined> {
  const wanted = CONNECTIONS.filter((connections) => options.wants(`${TITLE} ${connections}`));
  if (wanted.length === 0) return;
  await withFixture(async (fixture) => {
    const candidates = await startAll(fixture, options);
    for (const [n, connections] of wanted.entries()) {
      for (const candidate of candidates) await candidate.open(connections);
      const counted = options.rounds * options.seconds;
      const turns = new Map<string, Turn[]>(candidates.map(({ name }) => [name, []]));
      const loop = { warm: WARM_TURNS, counted, loops_left: wanted.length - n };
      await takeTurns(`${TITLE} ${connections}`, loop, options, async (isCounted) => {
        for (const candidate of candidates) {
          const turn = await measure(candidate, connections);
          if (isCounted) turns.get(candidate.name)?.push(turn);
        }
      });
      const rows = candidates.map(({ name }) => rowOf(name, turns));
      options.report({ title: TITLE, connections, rows });
    }
  });
}

async function startAll(fixture: Fixture, options: BenchOptions): Promise<Candidate[]> {
  const stacks = await bothModes(fixture, options, {
    env: { REALTIME_MAX_CONNECTIONS_PER_ADDRESS: '20000' },
    settings: { track_commit_timestamp: 'on' },
  });
  const gateways: Candidate[] = [];
  for (const one of stacks) gateways.push(await gatewayOf(fixture, one));
  const [first] = gateways;
  // The peers broadcast a frame of the Gateway.
  await first?.open(1);
  await first?.clients.expect(EVENTS);
  await first?.send();
  await first?.clients.arrived();
  const frame = (await first?.clients.sample()) ?? '';
  const peers: Candidate[] = [];
  for (const part of PEERS) peers.push(await peerOf(fixture, part, frame));
  return [...peers, ...gateways];
}

async function gatewayOf(fixture: Fixture, { mode, stack, postgres }: ModeStack): Promise<Candidate> {
  await populateRealtime(postgres.url);
  const pool = openPool({ database_url: databaseUrl(postgres.url, 'chat'), application_name: 'bench' });
  fixture.resources.add('pool', () => pool.end());
  const tokens = tokensOf(0, CROWD);
  const { post } = posts({ api: `${stack.url}/api/v1` }, channelOf(0), tokens);
  const clients = clientsOf(fixture);
  let opened = 0;
  return {
    name: inMode('Gateway', mode),
    clients,
    open: async (connections) => {
      const some = tokens.slice(opened, connections);
      opened = connections;
      await clients.open({ protocol: 'gateway', address: stack.web_sockets, tokens: some });
    },
    send: async () => {
      const committed = await commitTimes_ms(pool, await post(EVENTS));
      return Math.min(...committed.values());
    },
  };
}

async function peerOf(fixture: Fixture, part: (typeof PEERS)[number], frame: string): Promise<Candidate> {
  const address = await fixture.processes().start(part);
  const protocol = part === 'bare-ws' ? 'ws' : part;
  const clients = clientsOf(fixture);
  const body = Array<string>(EVENTS).fill(frame).join('\n');
  let opened = 0;
  return {
    name: part === 'bare-ws' ? 'bare ws' : 'Socket.IO',
    clients,
    open: async (connections) => {
      const tokens = Array<string>(connections - opened).fill('');
      opened = connections;
      await clients.open({ protocol, address, tokens });
    },
    send: async () => Number(await (await fetch(`http://${address}/`, { method: 'POST', body })).text()),
  };
}

function clientsOf({ resources }: Fixture): Sockets {
  const clients = sockets();
  resources.add('clients', () => clients.close());
  return clients;
}

async function measure({ clients, send }: Candidate, connections: number): Promise<Turn> {
  await clients.expect(EVENTS);
  const began_ms = await send();
  const late_ms = (await clients.arrivals()).map((at_ms) => at_ms - began_ms);
  const lasted_ms = late_ms.at(-1) ?? Number.NaN;
  return {
    per_second: (EVENTS * connections * 1000) / lasted_ms,
    p50_ms: quantile(late_ms, 0.5),
    p99_ms: quantile(late_ms, 0.99),
  };
}

function rowOf(name: string, turns: ReadonlyMap<string, readonly Turn[]>): Row {
  const of = (one: string, member: keyof Turn): number[] =>
    (turns.get(one) ?? []).map((turn) => turn[member]);
  return {
    name,
    compared_with: 'bare ws',
    figures: {
      per_second: figureOf(of(name, 'per_second')),
      p50_ms: figureOf(of(name, 'p50_ms')),
      p99_ms: figureOf(of(name, 'p99_ms')),
      ...(name !== 'bare ws' && { rate_ratio: ratioOf(of(name, 'per_second'), of('bare ws', 'per_second')) }),
    },
  };
}
