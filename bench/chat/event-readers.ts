import { setTimeout as sleep } from 'node:timers/promises';
import { databaseUrl, openPool } from '@gatehouse/kit/db/pool';
import { type Client, connect } from '@gatehouse/kit/rpc';
import { ChatServiceDefinition } from '@gatehouse/proto/chat';
import type { BenchOptions } from '../bench.ts';
import { type LoadCase, turnOf } from '../load/in-turns.ts';
import { load, quantile } from '../load/load.ts';
import { takeTurns } from '../load/turns.ts';
import { cpuTimeOfChildren_us } from '../parts/processes.ts';
import { figureOf, ratioOf } from '../report/figure.ts';
import type { Row } from '../report/table.ts';

const TITLE = 'readers of the event log';
const WARM_TURNS = 2;
/** The turn fails if an event takes longer. */
const LATE_MS = 5_000;

export interface EventReadersTarget {
  /** The address of chat, host:port. */
  readonly chat: string;
  readonly database_url: string;
  readonly postgres_pid: number;
  /** The load of posts. */
  readonly posts: LoadCase;
  /** The numbers of readers to measure, in turn. The first is 0. */
  readonly readers: readonly [0, ...number[]];
}

interface Turn {
  readonly cpu_us: number;
  readonly lag_p99_ms: number;
  readonly post_p99_ms: number;
}

/**
 * Measures readers of the event log under a maximal load of posts: the lag from an event's commit to its arrival,
 * compared with the latency of a post, and PostgreSQL's processor time per post with and without readers. PostgreSQL
 * records the commit times (track_commit_timestamp).
 */
export async function eventReaders(target: EventReadersTarget, options: BenchOptions): Promise<void> {
  if (!options.wants(TITLE)) return;
  const turns = new Map<number, Turn[]>(target.readers.map((readers) => [readers, []]));
  const { client, close } = connect(ChatServiceDefinition, { address: target.chat });
  try {
    const counted = options.rounds * options.seconds;
    await takeTurns(TITLE, { warm: WARM_TURNS, counted }, options, async (isCounted) => {
      for (const readers of target.readers) {
        const figures = await measureTurn(target, client, readers);
        if (isCounted) turns.get(readers)?.push(figures);
      }
    });
  } finally {
    close();
  }
  options.report({
    title: TITLE,
    about: `Under the load of ${target.posts.name}: the lag from an event's commit to its arrival at a reader, its ratio to the
p99 of the load's requests, and PostgreSQL's processor time per event.`,
    rows: target.readers.map((readers) => rowOf(readers, turns)),
  });
}

function rowOf(readers: number, turns: ReadonlyMap<number, readonly Turn[]>): Row {
  const own = turns.get(readers) ?? [];
  const without = turns.get(0) ?? [];
  const cpu = { postgres_us: figureOf(own.map(({ cpu_us }) => cpu_us)) };
  if (readers === 0) return { name: 'no reader', figures: cpu };
  const lags = own.map(({ lag_p99_ms }) => lag_p99_ms);
  const more = own.map(({ cpu_us }, index) => cpu_us - (without[index]?.cpu_us ?? Number.NaN));
  return {
    name: `readers: ${readers}`,
    figures: {
      ...cpu,
      more_us: figureOf(more),
      lag_p99_ms: figureOf(lags),
      lag_ratio: ratioOf(
        lags,
        own.map(({ post_p99_ms }) => post_p99_ms),
      ),
    },
  };
}

async function measureTurn(
  { database_url, postgres_pid, posts }: EventReadersTarget,
  client: Client<typeof ChatServiceDefinition>,
  readers: number,
): Promise<Turn> {
  const streams = await Promise.all(Array.from({ length: readers }, () => openReader(client)));
  const before_us = cpuTimeOfChildren_us(postgres_pid);
  const { statuses, p99_ms } = await load(turnOf(posts));
  const posted = statuses[posts.expected] ?? 0;
  for (const { read } of streams) await untilRead(read, posted);
  const cpu_us = (cpuTimeOfChildren_us(postgres_pid) - before_us) / posted;
  for (const { close } of streams) await close();
  const lags_ms = await lagsOf(database_url, streams[0]?.read ?? new Map());
  return { cpu_us, lag_p99_ms: quantile(lags_ms, 0.99), post_p99_ms: p99_ms };
}

interface Reader {
  /** The arrival of each event, in milliseconds since 1970, by its ID. */
  readonly read: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** Resolves once the reader receives new events. */
async function openReader(client: Client<typeof ChatServiceDefinition>): Promise<Reader> {
  const read = new Map<string, number>();
  const controller = new AbortController();
  const { signal } = controller;
  const stream = client.readEvents({ types: ['MESSAGE_CREATE'] }, { signal })[Symbol.asyncIterator]();
  await stream.next();
  const ended = (async () => {
    for (let next = await stream.next(); !next.done; next = await stream.next()) {
      const at_ms = performance.timeOrigin + performance.now();
      for (const { id } of next.value.events) read.set(id, at_ms);
    }
  })().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return {
    read,
    close: () => {
      controller.abort();
      return ended;
    },
  };
}

async function untilRead(read: ReadonlyMap<string, number>, posted: number): Promise<void> {
  const until_ms = performance.now() + LATE_MS;
  while (read.size < posted) {
    if (performance.now() > until_ms) throw new Error(`of ${posted} posts ${read.size} were read`);
    await sleep(5);
  }
}

/** The lag of each event, from its commit to its arrival. */
async function lagsOf(database_url: string, read: ReadonlyMap<string, number>): Promise<number[]> {
  const pool = openPool({ database_url: databaseUrl(database_url, 'chat'), application_name: 'bench' });
  try {
    const { rows } = await pool.query<{ id: string; committed_ms: number }>(
      `SELECT id, extract(epoch FROM pg_xact_commit_timestamp(xact_id::xid))::double precision * 1000 AS committed_ms
       FROM events WHERE id = ANY($1::bigint[])`,
      [[...read.keys()]],
    );
    return rows.map(({ id, committed_ms }) => (read.get(id) ?? Number.NaN) - committed_ms);
  } finally {
    await pool.end();
  }
}
