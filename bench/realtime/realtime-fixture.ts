import { databaseUrl, openPool } from '@gatehouse/kit/db/pool';
import type { Pool } from 'pg';
import type { Fixture } from '../parts/fixture.ts';
import type { Processes } from '../parts/processes.ts';
import { populateRealtime } from './population.ts';
import { type Sockets, sockets } from './sockets.ts';

/** The processes that the measurements of realtime share. */
export interface RealtimeFixture {
  /** The API's address. */
  readonly api: string;
  /** Starts a part of the bench as a process. Returns its address. */
  start(part: Part): Promise<Server>;
  /** Opens clients in another process, which ends with the fixture. */
  sockets(): Sockets;
  /** The commit times of messages, in milliseconds since 1970, by ID. */
  committed_ms(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

export type Part = 'realtime' | 'bare-ws' | 'socket.io';

export interface Server {
  /** host:port */
  readonly address: string;
  cpuTime_us(): number;
  /** Its memory after garbage collections. */
  memory(): Promise<NodeJS.MemoryUsage>;
  stop(): void;
}

const NODE_OPTIONS = ['--max-old-space-size=768', '--expose-gc'];

/** All clients have one address here. The heap limit is that of a stack (start-processes.ts). */
const SETTINGS = {
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
  GATEWAY_LISTEN: '127.0.0.1:0',
  REALTIME_MAX_CONNECTIONS_PER_ADDRESS: '20000',
};

/** Starts PostgreSQL with fsync on, and a stack with filled databases. Further processes start on demand. */
export async function realtimeFixture(fixture: Fixture): Promise<RealtimeFixture> {
  const { resources } = fixture;
  const { url: database_url } = await fixture.postgres({ track_commit_timestamp: 'on' });
  const stack = await fixture.stack({ database_url });
  await populateRealtime(database_url);
  const pool = openPool({ database_url: databaseUrl(database_url, 'chat'), application_name: 'bench' });
  resources.add('pool', () => pool.end());
  const { auth: AUTH_ADDRESS, chat: CHAT_ADDRESS } = stack.addresses;
  const settings = { ...SETTINGS, AUTH_ADDRESS, CHAT_ADDRESS, REALTIME_PEERS: '' };

  return {
    api: `${stack.url}/api/v1`,
    start: async (part) => {
      const running = fixture.processes();
      return serverOf(running, await running.start(part, settings, NODE_OPTIONS));
    },
    sockets: () => {
      const clients = sockets();
      resources.add('clients', () => clients.close());
      return clients;
    },
    committed_ms: (ids) => commitTimes_ms(pool, ids),
  };
}

/** The commit times of messages, in milliseconds since 1970, by ID. PostgreSQL records them. */
export async function commitTimes_ms(chat: Pool, ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await chat.query<{ id: string; committed_ms: number }>(
    `SELECT payload->>'id' AS id,
       extract(epoch FROM pg_xact_commit_timestamp(xact_id::xid))::double precision * 1000 AS committed_ms
     FROM events WHERE type = 'MESSAGE_CREATE' AND payload->>'id' = ANY($1)`,
    [ids],
  );
  return new Map(rows.map(({ id, committed_ms }) => [id, committed_ms]));
}

function serverOf(running: Processes, address: string): Server {
  return {
    address,
    cpuTime_us: running.cpuTime_us,
    memory: () => running.ask('memory') as Promise<NodeJS.MemoryUsage>,
    stop: running.stop,
  };
}
