import { silentLogger } from '@gatehouse/kit/log';
import { onTestFinished } from 'vitest';
import type { Connection, Gateway } from '../../../src/connections/connection.ts';
import { CloseCode } from '../../../src/connections/connection.ts';
import {
  type Connections,
  type ConnectionsOptions,
  openConnections,
} from '../../../src/connections/connections.ts';
import { dispatchOf } from '../../../src/connections/dispatch.ts';
import { type ConnectOptions, connect, type RawClient } from './raw-client.ts';

export interface TestConnections extends Connections {
  readonly gateway: TestGateway;
  /** Connects, and reads Hello. */
  client(options?: ConnectOptions): Promise<RawClient>;
  /** Connects, identifies, and reads READY. */
  session(options?: ConnectOptions): Promise<RawClient>;
}

export interface TestGateway extends Gateway {
  /** Those that have a session. */
  readonly connected: Set<Connection>;
  /** What each client closed its connection with, in the order of their ends. */
  readonly ends: (number | undefined)[];
}

/** Serves until the test is over. */
export async function testConnections(options: Partial<ConnectionsOptions> = {}): Promise<TestConnections> {
  const gateway = testGateway();
  const connections = await openConnections({
    listen: '127.0.0.1:0',
    gateway,
    trusted_proxies: [],
    deflate: false,
    log: silentLogger,
    ...options,
    bounds: {
      max_connections: 20_000,
      max_connections_per_address: 2_000,
      max_waiting_bytes: 128 * 1024 * 1024,
      ...options.bounds,
    },
  });
  onTestFinished(() => connections.close());

  async function client(connect_options?: ConnectOptions): Promise<RawClient> {
    const opened = await connect(connections.address, connect_options);
    onTestFinished(() => void opened.socket.destroy());
    await opened.next();
    return opened;
  }

  return {
    ...connections,
    gateway,
    client,
    session: async (connect_options) => {
      const opened = await client(connect_options);
      opened.send(IDENTIFY);
      await opened.next();
      return opened;
    },
  };
}

export const IDENTIFY = { op: 2, d: { token: 'right' } };
export const HEARTBEAT = { op: 1, d: null };

/** READY is number 1 of each session. The tokens and session ids say what is to happen. */
function testGateway(): TestGateway {
  const connected = new Set<Connection>();
  const ends: (number | undefined)[] = [];

  function begin(connection: Connection): void {
    connected.add(connection);
    connection.accept();
    connection.dispatch(1, dispatchOf('READY', '{"v":1}'));
  }

  return {
    connected,
    ends,
    identify: (connection, { token }) => {
      if (token === 'right') begin(connection);
      else if (token === 'broken') throw new Error('the gateway is broken');
      else if (token !== 'slow') connection.close(CloseCode.AUTHENTICATION_FAILED);
    },
    resume: (connection, { session_id, seq }) => {
      if (session_id === 'over') connection.invalidSession(false);
      else {
        connected.add(connection);
        connection.accept();
        connection.dispatch(seq + 1, dispatchOf('RESUMED', '{}'));
      }
    },
    heartbeat: (_connection, seq) => (seq ?? 0) <= 1,
    ended: (connection, code) => {
      connected.delete(connection);
      ends.push(code);
    },
  };
}
