import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../image/healthy.sh', import.meta.url));

test.each([
  ['one service that is ready', undefined, [200], 0],
  ['one service that is not ready', undefined, [503], 1],
  ['one service without a port', undefined, [], 1],
  ['three services that are ready', 'gateway,auth,chat', [200, 200, 200], 0],
  ['three services, of which the last is not ready', 'gateway,auth,chat', [200, 200, 503], 1],
  ['three services, of which the last has no port yet', 'gateway,auth,chat', [200, 200], 1],
])('the health command with %s', async (_, SERVICES, statuses, code) => {
  const port = await serve(statuses);
  const env = { PATH: process.env.PATH, METRICS_LISTEN: `0.0.0.0:${port}`, ...(SERVICES && { SERVICES }) };
  const ended = new Promise((resolve) => {
    execFile('bash', [SCRIPT], { env }, (error) => resolve(error === null ? 0 : error.code));
  });
  expect(await ended).toBe(code);
});

/** Serves /readyz with each status, at ports that follow each other. */
async function serve(statuses: readonly number[]): Promise<number> {
  for (;;) {
    const servers: Server[] = [];
    try {
      const first = await listen(0, statuses[0], servers);
      for (const [index, status] of statuses.entries())
        if (index > 0) await listen(first + index, status, servers);
      onTestFinished(() => close(servers));
      return first;
    } catch (error) {
      close(servers);
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}

/** Without a status, nothing listens at the port. */
async function listen(port: number, status: number | undefined, servers: Server[]): Promise<number> {
  const server = createServer(({ url }, response) => {
    response.writeHead(url === '/readyz' && status !== undefined ? status : 404).end();
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  if (status !== undefined) servers.push(server);
  const { port: taken } = server.address() as AddressInfo;
  if (status === undefined) server.close();
  return taken;
}

function close(servers: readonly Server[]): void {
  for (const server of servers) server.close();
}
