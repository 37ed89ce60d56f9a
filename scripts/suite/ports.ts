import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { PORT_COUNT, PROCESSES } from './processes.ts';

/**
 * One port for each process, and one for WebSockets: `port` and those after it, or any free ones for 0.
 *
 * @throws Error naming a port that somebody else listens on
 */
export async function choosePorts(host: string, port: number): Promise<number[]> {
  const held: Server[] = [];
  try {
    for (const [index, name] of [...PROCESSES.map(({ name }) => name), 'WebSockets'].entries()) {
      const address = index === 0 ? host : '127.0.0.1';
      // All are held until all are chosen, so that no free one is given twice.
      held.push(
        port === 0
          ? await listenAnywhere(address)
          : await listen(address, port + index).catch((error) => explain(error, name, port + index)),
      );
    }
    return held.map(portOf);
  } finally {
    await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

/** Free ones are drawn from below those that the system gives to connections: until a process listens, none takes it. */
const FIRST_FREE = 20_000;
const LAST_FREE = 32_000;
const TRIES = 100;

async function listenAnywhere(host: string): Promise<Server> {
  for (let left = TRIES; ; left--) {
    try {
      return await listen(host, randomInt(FIRST_FREE, LAST_FREE));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || left === 0) throw error;
    }
  }
}

function listen(host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}

function explain(error: NodeJS.ErrnoException, name: string, port: number): never {
  if (error.code === 'EADDRINUSE') {
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
