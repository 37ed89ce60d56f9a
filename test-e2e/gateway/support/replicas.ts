import { freePort } from '@gatehouse/dev-env/free-port';
import { silentLogger } from '@gatehouse/kit/log';
import { readConfig } from '@gatehouse/realtime/config';
import { type RunningRealtime, start } from '@gatehouse/realtime/start';
import { afterEach } from 'vitest';
import { freshAddress } from '../../support/people.ts';
import type { OwnStack } from '../../support/stack.ts';
import { type Connection, openConnection } from './connection.ts';
import { identify, type Resumable, type Session, sendResume } from './session.ts';
import { QUERY } from './use-gateway.ts';

/** A realtime replica in the test's process, beside the stack's own. */
export interface Replica {
  readonly running: RunningRealtime;
  connect(): Promise<Connection>;
  identify(token: string): Promise<Session>;
  /** Opens a connection, and sends Resume. */
  resume(session: Resumable, seq: number): Promise<Session>;
  stop(): Promise<void>;
}

/** Returns a function that starts replicas as peers, with `env` as additional settings. They stop with their test. */
export function useReplicas(
  stack: OwnStack,
  env: Readonly<Record<string, string>> = {},
): (count: number) => Promise<Replica[]> {
  let opened: Replica[] = [];
  afterEach(async () => {
    await Promise.all(opened.map((replica) => replica.stop()));
    opened = [];
  });
  return async (count) => {
    const ports = await Promise.all(Array.from({ length: count }, freePort));
    const addresses = ports.map((port) => `127.0.0.1:${port}`);
    opened = await Promise.all(
      addresses.map(async (address) =>
        replicaOf(
          await start(
            readConfig({
              LISTEN: address,
              GATEWAY_LISTEN: '127.0.0.1:0',
              REALTIME_PEERS: addresses.join(),
              AUTH_ADDRESS: stack.running.addresses.auth,
              CHAT_ADDRESS: stack.running.addresses.chat,
              TRUSTED_PROXIES: '127.0.0.1/32',
              ...env,
            }),
            { log: silentLogger, spread_ms: 200 },
          ),
        ),
      ),
    );
    return opened;
  };
}

function replicaOf(running: RunningRealtime): Replica {
  const connections: Connection[] = [];
  const connect = async (): Promise<Connection> => {
    const headers = { 'x-forwarded-for': freshAddress() };
    const connection = await openConnection(`ws://${running.gateway_address}/gateway${QUERY}`, { headers });
    connections.push(connection);
    await connection.until('the first frame', () => connection.frames[0]);
    return connection;
  };
  let stopped: Promise<void> | undefined;
  return {
    running,
    connect,
    identify: async (token) => identify(await connect(), token),
    resume: async (session, seq) => sendResume(await connect(), session, seq),
    stop: () => {
      stopped ??= running.close();
      return stopped;
    },
  };
}
