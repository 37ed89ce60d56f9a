import type { BenchOptions } from '../bench.ts';
import { median } from '../load/load.ts';
import { takeTurns } from '../load/turns.ts';
import { figureOf, ratioOf } from '../report/figure.ts';
import type { Row } from '../report/table.ts';
import { CROWD, channelOf, tokensOf } from './population.ts';
import { type Posts, posts } from './posts.ts';
import type { ProtocolName } from './protocols.ts';
import type { Part, RealtimeFixture, Server } from './realtime-fixture.ts';
import type { Sockets } from './sockets.ts';

const TITLE = 'one channel';
/** Events in a turn: how many at once, and how often. */
const PATTERNS: readonly Pattern[] = [
  { name: 'one at a time', together: 1, times: 10 },
  { name: 'ten together', together: 10, times: 2 },
];
/** Before anything counts. */
const WARM_TURNS = 3;
/** Later sessions have received fewer events: no two groups have the same `s`. */
const GROUPS = 10;

export interface Pattern {
  readonly name: string;
  readonly together: number;
  readonly times: number;
}

interface Candidate {
  readonly name: string;
  readonly server: Server;
  readonly clients: Sockets;
  /** Sends `count` events to all clients. Returns the time of the start, in milliseconds since 1970. */
  send(events: number): Promise<number>;
}

/** The figures of a turn. */
interface Figures {
  /** Processor time of the server per event and socket. */
  readonly cpu_us: number;
  /** From the commit, or from the server's receipt of the frames, to the last event at the last socket. */
  readonly last_ms: number;
}

/**
 * Measures a replica whose sessions can all view one channel: processor time per delivery, and the time from a commit
 * to the last session. Compares it, in turns, with a bare ws server and a Socket.IO server that broadcast the same
 * frames to as many clients.
 */
export async function oneChannel(fixture: RealtimeFixture, options: BenchOptions): Promise<void> {
  if (!options.wants(TITLE)) return;
  const count = options.quick ? CROWD / 10 : CROWD;
  options.say(`${TITLE}: ${count} sessions`);
  const gateway = await openReplica(fixture, count);
  const sample = await gateway.clients.sample();
  const candidates = [
    gateway,
    await openBroadcast(fixture, 'bare-ws', 'ws', sample, count),
    await openBroadcast(fixture, 'socket.io', 'socket.io', sample, count),
  ];
  const results = new Map<string, Figures[]>();
  const turns = { warm: WARM_TURNS, counted: options.rounds * options.seconds };
  await takeTurns(TITLE, turns, options, async (isCounted, turn) => {
    for (const pattern of PATTERNS)
      for (const candidate of inTurn(candidates, turn)) {
        const figures = await measure(candidate, pattern, count);
        const key = keyOf(candidate.name, pattern);
        if (isCounted) results.set(key, [...(results.get(key) ?? []), figures]);
      }
  });
  for (const { server, clients } of candidates) {
    clients.close();
    server.stop();
  }
  for (const pattern of PATTERNS)
    options.report({
      title: `${TITLE}, events ${pattern.name}`,
      about:
        'Processor time of the server per delivery; from the commit to the last event at the last socket.',
      connections: count,
      rows: candidates.map(({ name }) => rowOf(results, name, pattern)),
    });
}

/** Starts a replica whose sessions can all view the first channel. */
async function openReplica(fixture: RealtimeFixture, count: number): Promise<Candidate> {
  const server = await fixture.start('realtime');
  const clients = fixture.sockets();
  const tokens = tokensOf(0, count);
  const { post } = posts(fixture, channelOf(0), tokens);
  const candidate = {
    name: 'realtime',
    server,
    clients,
    send: (events: number) => commit(fixture, post, events),
  };
  for (let group = 0; group < GROUPS; group++) {
    const some = tokens.slice((group * count) / GROUPS, ((group + 1) * count) / GROUPS);
    await clients.open({ protocol: 'gateway', address: server.address, tokens: some });
    await clients.expect(group + 1);
    await post(group + 1);
    await clients.arrived();
  }
  return candidate;
}

async function commit(fixture: RealtimeFixture, post: Posts['post'], events: number): Promise<number> {
  const committed = await fixture.committed_ms(await post(events));
  if (committed.size < events) throw new Error('a commit is not known');
  return Math.min(...committed.values());
}

async function openBroadcast(
  fixture: RealtimeFixture,
  part: Part,
  protocol: ProtocolName,
  sample: string,
  count: number,
): Promise<Candidate> {
  const server = await fixture.start(part);
  const clients = fixture.sockets();
  await clients.open({ protocol, address: server.address, tokens: Array<string>(count).fill('') });
  const send = async (events: number): Promise<number> => {
    const body = Array<string>(events).fill(sample).join('\n');
    return Number(await (await fetch(`http://${server.address}/`, { method: 'POST', body })).text());
  };
  return { name: part, server, clients, send };
}

/** Rotates the order, so that each server comes first equally often. */
function inTurn<T>(all: readonly T[], turn: number): T[] {
  const first = ((turn % all.length) + all.length) % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
}

async function measure(
  { server, clients, send }: Candidate,
  { together, times }: Pattern,
  count: number,
): Promise<Figures> {
  const lasted_ms: number[] = [];
  const before_us = server.cpuTime_us();
  for (let time = 0; time < times; time++) {
    await clients.expect(together);
    const began_ms = await send(together);
    lasted_ms.push(Math.max(...(await clients.arrived())) - began_ms);
  }
  return {
    cpu_us: (server.cpuTime_us() - before_us) / (together * times * count),
    last_ms: median(lasted_ms),
  };
}

function keyOf(name: string, pattern: Pattern): string {
  return `${name}, ${pattern.name}`;
}

function rowOf(results: ReadonlyMap<string, readonly Figures[]>, name: string, pattern: Pattern): Row {
  const of = (one: string, member: keyof Figures): number[] =>
    (results.get(keyOf(one, pattern)) ?? []).map((turn) => turn[member]);
  const cpu_us = of(name, 'cpu_us');
  return {
    name,
    compared_with: 'bare-ws',
    figures: {
      deliveries_a_core: figureOf(cpu_us.map((us) => 1_000_000 / us)),
      cpu_us: figureOf(cpu_us),
      last_ms: figureOf(of(name, 'last_ms')),
      ...(name !== 'bare-ws' && {
        deliveries_ratio: ratioOf(of('bare-ws', 'cpu_us'), cpu_us),
        last_ratio: ratioOf(of(name, 'last_ms'), of('bare-ws', 'last_ms')),
      }),
    },
  };
}
