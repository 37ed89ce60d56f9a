import { randomInt } from 'node:crypto';
import { connect, createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ephemeralPorts, nonEphemeralPorts } from '@gatehouse/dev-env/port-range';
import { PORT_COUNT, PORT_NAMES } from './processes.ts';

export type Say = (line: string) => void;

/**
 * Chooses the ports of a stack: `port` and those after it, or free ones if it is 0. Waits for a port that an
 * outgoing connection uses. After them come `extra` free ports.
 *
 * @throws Error naming a port on which another program listens
 */
export async function choosePorts(
  host: string,
  port: number,
  say: Say = () => undefined,
  extra = 0,
): Promise<number[]> {
  const held: Server[] = [];
  try {
    for (const [index, name] of PORT_NAMES.entries()) {
      const address = index === 0 ? host : '127.0.0.1';
      // All ports stay bound until the last one is chosen, so no free port is chosen twice.
      held.push(
        port === 0
          ? await listenAnywhere(address)
          : await listenPatiently(address, port + index, say).catch((error) =>
              explain(error, name, port + index),
            ),
      );
    }
    for (let left = extra; left > 0; left--) held.push(await listenAnywhere('127.0.0.1'));
    return held.map(portOf);
  } finally {
    await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

/** Warns if outgoing connections may take one of the ports from `port` on. */
export function warnOfEphemeral(port: number, say: Say): void {
  const { first, last } = ephemeralPorts();
  if (port === 0 || port > last || port + PORT_COUNT - 1 < first) return;
  say(
    `PORT ${port}: the system gives the ports from ${first} to ${last} to outgoing connections, which may take one of the stack's. PORT below ${first - PORT_COUNT + 1} is safe from that`,
  );
}

const TRIES = 100;

/**
 * Draws from the ports that the system does not give to outgoing connections, so the port stays free until a
 * process listens.
 */
async function listenAnywhere(host: string): Promise<Server> {
  const { first, last } = nonEphemeralPorts();
  for (let left = TRIES; ; left--) {
    try {
      return await listen(host, randomInt(first, last + 1));
    } catch (error) {
      if (!isInUse(error) || left === 0) throw error;
    }
  }
}

const WAIT_TRIES = 20;
const WAIT_MS = 500;

async function listenPatiently(host: string, port: number, say: Say): Promise<Server> {
  for (let left = WAIT_TRIES; ; left--) {
    try {
      return await listen(host, port);
    } catch (error) {
      if (!isInUse(error) || left === 0 || (await somebodyListens(host, port))) throw error;
      if (left === WAIT_TRIES)
        say(
          `port ${port} has been taken by an outgoing connection; waiting up to ${(WAIT_TRIES * WAIT_MS) / 1_000} s for it to end`,
        );
      await sleep(WAIT_MS);
    }
  }
}

function isInUse(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
}

/** A port that a connection uses refuses other connections. */
function somebodyListens(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: host === '0.0.0.0' || host === '::' ? undefined : host });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function listen(host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}

function explain(error: NodeJS.ErrnoException, name: string, port: number): never {
  if (isInUse(error)) {
    throw new Error(
      `port ${port}, wanted for ${name}, is in use; set PORT to another (it and the next ${PORT_COUNT - 1} are used)`,
    );
  }
  if (error.code === 'EACCES')
    throw new Error(`port ${port}, wanted for ${name}, is not allowed for this user; set PORT`);
  throw new Error(`cannot listen for ${name}: ${error.message}; see HOST and PORT`);
}

function portOf(server: Server): number {
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}
