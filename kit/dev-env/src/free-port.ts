import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { quietPorts } from './port-range.ts';

/** Not those that systems give to connections, and to servers that ask for any port: those take none of these meanwhile. */
const { first: LOWEST, last: HIGHEST } = quietPorts();

/** Each process has its own beginning, and gives none twice before all were given. */
let next = randomInt(LOWEST, HIGHEST + 1);

/** A TCP port on 127.0.0.1 that nobody listens on at this moment. @throws Error when there is none */
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
