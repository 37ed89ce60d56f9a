import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { nonEphemeralPorts } from './port-range.ts';

/** Outside of the ephemeral ports, so that outgoing connections and servers on port 0 do not take them. */
const { first: LOWEST, last: HIGHEST } = nonEphemeralPorts();

/** Each process starts at a different port, and repeats none before all were used. */
let next = randomInt(LOWEST, HIGHEST + 1);

/** Returns a free TCP port on 127.0.0.1. @throws Error if there is none */
export async function freePort(): Promise<number> {
  for (let tried = LOWEST; tried <= HIGHEST; tried++) {
    const port = next;
    next = port === HIGHEST ? LOWEST : port + 1;
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${LOWEST} to ${HIGHEST} is free`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
