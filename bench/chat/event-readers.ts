import { setTimeout as sleep } from 'node:timers/promises';
import { databaseUrl, openPool } from '@gatehouse/kit/db/pool';
import { type Client, connect } from '@gatehouse/kit/rpc';
import { ChatServiceDefinition } from '@gatehouse/proto/chat';
import type { BenchOptions } from '../bench.ts';
import { type LoadCase, turnOf } from '../load/in-turns.ts';
import { load, median, quantile } from '../load/load.ts';
import { twoDecimals } from '../load/two-decimals.ts';
import { cpuTimeOfChildren_us } from '../parts/processes.ts';

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
export async function eventReaders(
  target: EventReadersTarget,
  { rounds, seconds, say }: BenchOptions,
): Promise<Record<string, unknown>> {
  const turns = new Map<number, Turn[]>(target.readers.map((readers) => [readers, []]));
  const { client, close } = connect(ChatServiceDefinition, { address: target.chat });
  try {
    for (let turn = -WARM_TURNS; turn < rounds * seconds; turn++) {
      for (const readers of target.readers) {
        const figures = await measureTurn(target, client, readers);
        if (turn >= 0) turns.get(readers)?.push(figures);
      }
    }
  } finally {
    close();
  }
  say('event log read');
  return Object.fromEntries(
    target.readers.map((readers) => [
      `event log, readers: ${readers}`,
      rowOf(target.posts.name, readers, turns),
    ]),
  );
}

function rowOf(
  compared_with: string,
  readers: number,
  turns: ReadonlyMap<number, readonly Turn[]>,
): Record<string, unknown> {
  const own = turns.get(readers) ?? [];
  const without = turns.get(0) ?? [];
  const cpu_us = median(own.map((turn) => turn.cpu_us));
  const more_us = median(own.map((turn, index) => turn.cpu_us - (without[index]?.cpu_us ?? Number.NaN)));
  if (readers === 0) return { what: "PostgreSQL's processor time per post", us: Math.round(cpu_us) };
  return {
    what: "lag from commit to reader, compared with a post's p99; PostgreSQL's processor time per post, and its increase by readers",
    p99_ms: twoDecimals(median(own.map((turn) => turn.lag_p99_ms))),
    compared_with,
    p99_ratio: twoDecimals(median(own.map((turn) => turn.lag_p99_ms / turn.post_p99_ms))),
    us: Math.round(cpu_us),
    more_us: Math.round(more_us),
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
