import { join } from 'node:path';
import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { startEmbeddedPostgres } from '@gatehouse/dev-env/postgres/embedded-postgres';
import { databaseUrl, openPool } from '@gatehouse/kit/db/pool';
import { type Resources, resourceStack } from '@gatehouse/kit/lifecycle';
import { startStack } from '@gatehouse/stack/start-stack';
import { type Processes, processes } from '../parts/processes.ts';
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
  close(): Promise<void>;
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
export async function realtimeFixture(): Promise<RealtimeFixture> {
  const { path: folder, remove } = await testDataFolder('bench');
  const resources = resourceStack();
  resources.add('folder', remove);
  try {
    return await open(folder, resources);
  } catch (error) {
    await resources.close();
    throw error;
  }
}

async function open(folder: string, resources: Resources): Promise<RealtimeFixture> {
  const postgres = await startEmbeddedPostgres({
    dataDir: join(folder, 'database'),
    settings: { track_commit_timestamp: 'on' },
  });
  resources.add('postgres', () => postgres.close());
  const env = { ...process.env, NODE_COMPILE_CACHE: undefined };
  const database_url = postgres.url;
  const stack = await startStack({ port: 0, data_dir: join(folder, 'stack'), database_url, env });
  resources.add('stack', () => stack.close());
  await populateRealtime(database_url);
  const pool = openPool({ database_url: databaseUrl(database_url, 'chat'), application_name: 'bench' });
  resources.add('pool', () => pool.end());
  const { auth: AUTH_ADDRESS, chat: CHAT_ADDRESS } = stack.addresses;
  const settings = { ...env, ...SETTINGS, AUTH_ADDRESS, CHAT_ADDRESS, REALTIME_PEERS: '' };

  return {
    api: `${stack.url}/api/v1`,
    start: async (part) => {
      const running = processes(folder);
      resources.add(part, () => running.stop());
      return serverOf(running, await running.start(part, settings, NODE_OPTIONS));
    },
    sockets: () => {
      const clients = sockets();
      resources.add('clients', () => clients.close());
      return clients;
    },
    committed_ms: async (ids) => {
      const { rows } = await pool.query<{ id: string; committed_ms: number }>(
        `SELECT payload->>'id' AS id,
           extract(epoch FROM pg_xact_commit_timestamp(xact_id::xid))::double precision * 1000 AS committed_ms
         FROM events WHERE type = 'MESSAGE_CREATE' AND payload->>'id' = ANY($1)`,
        [ids],
      );
      return new Map(rows.map(({ id, committed_ms }) => [id, committed_ms]));
    },
    close: resources.close,
  };
}

function serverOf(running: Processes, address: string): Server {
  return {
    address,
    cpuTime_us: running.cpuTime_us,
    memory: () => running.ask('memory') as Promise<NodeJS.MemoryUsage>,
    stop: running.stop,
  };
}
