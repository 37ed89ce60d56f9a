import { afterEach } from 'vitest';
import { Gateway, type GatewayOptions } from '../../../src/gateway/gateway.ts';
import { type ScriptedGateway, type ServerConnection, useScriptedGateway } from './scripted-gateway.ts';

export const IDENTIFY = 2;
export const RESUME = 6;

export interface Opened {
  readonly server: ScriptedGateway;
  readonly gateway: Gateway;
  /** The iterator, which connects. */
  readonly events: AsyncIterator<{ readonly t: string; readonly s: number; readonly d: unknown }, undefined>;
}

/** Delays that a test does not have to wait for. */
export const FAST = { firstDelayMs: 1, longestDelayMs: 1 };

/** Clients with a Gateway each, which end with their test. */
export function useGateways(): (
  options?: Partial<GatewayOptions>,
  heartbeat_interval?: number,
) => Promise<Opened> {
  const startServer = useScriptedGateway();
  const opened: Gateway[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((gateway) => gateway.close().catch(() => undefined)));
  });
  return async (options = {}, heartbeat_interval) => {
    const server = await startServer(heartbeat_interval);
    const gateway = new Gateway({ baseUrl: server.baseUrl, bot: 'token', timing: FAST, ...options });
    opened.push(gateway);
    let iterator: Opened['events'] | undefined;
    return {
      server,
      gateway,
      get events() {
        iterator ??= gateway[Symbol.asyncIterator]();
        return iterator;
      },
    };
  };
}

/** Answers the client's Identify with READY. The client has taken it. */
export async function establish({
  server,
  events,
}: Pick<Opened, 'server' | 'events'>): Promise<ServerConnection> {
  const next = events.next();
  const connection = await server.connections.next();
  await connection.frames.next();
  connection.ready();
  await next;
  return connection;
}

/** The same for a client with listeners. */
export async function establishListening({ server }: Pick<Opened, 'server'>): Promise<ServerConnection> {
  const connection = await server.connections.next();
  await connection.frames.next();
  connection.ready();
  return connection;
}

/** Waits for the client's next connection and its first frame. */
export async function reconnected({ server }: Pick<Opened, 'server'>) {
  const connection = await server.connections.next();
  return { connection, frame: await connection.frames.next() };
}
