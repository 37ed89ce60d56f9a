import { silentLogger } from '@gatehouse/kit/log';
import { onTestFinished } from 'vitest';
import type { Connection, RequestHandler } from '../../../src/connections/connection.ts';
import { CloseCode } from '../../../src/connections/connection.ts';
import { dispatchOf } from '../../../src/connections/dispatch.ts';
import { GatewayServer, type GatewayServerOptions } from '../../../src/connections/gateway-server.ts';
import { type ConnectOptions, connect, type RawClient } from './raw-client.ts';

export interface TestConnections
  extends Pick<GatewayServer, 'address' | 'state' | 'stopAccepting' | 'drain' | 'close'> {
  readonly handler: TestHandler;
  count(): number;
  /** Connects, and reads Hello. */
  client(options?: ConnectOptions): Promise<RawClient>;
  /** Connects, identifies, and reads READY. */
  session(options?: ConnectOptions): Promise<RawClient>;
}

export interface TestHandler extends RequestHandler {
  /** Connections with a session. */
  readonly connected: Set<Connection>;
  /** Clients' close codes in the order of their ends. */
  readonly ends: (number | undefined)[];
}

/** Serves until the test ends. */
export async function testConnections(options: Partial<GatewayServerOptions> = {}): Promise<TestConnections> {
  const handler = testHandler();
  const server = new GatewayServer({
    handler,
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
  await server.listen('127.0.0.1:0');
  onTestFinished(() => server.close());

  async function client(connect_options?: ConnectOptions): Promise<RawClient> {
    const opened = await connect(server.address, connect_options);
    onTestFinished(() => void opened.socket.destroy());
    await opened.next();
    return opened;
  }

  return {
    address: server.address,
    count: () => server.state().connections,
    state: () => server.state(),
    stopAccepting: () => server.stopAccepting(),
    drain: (spread_ms) => server.drain(spread_ms),
    close: () => server.close(),
    handler,
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

/** READY is event 1 of each session. Tokens and session IDs select what the request handler does. */
function testHandler(): TestHandler {
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
      else if (token === 'broken') throw new Error('the request handler is broken');
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
