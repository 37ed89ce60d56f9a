import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTestPostgres, type TestServer } from './postgres/postgres-server.ts';
import { RUN_PREFIX, RUN_URL } from './postgres/test-database.ts';

/**
 * vitest's global setup, also for several runs of vitest side by side. Test files run in processes of their own and
 * share one PostgreSQL: it lives in this process, starts when the first file requests it over HTTP, and stops with
 * the run. If another process has set it up, this does nothing.
 */
export async function setup(): Promise<() => Promise<void>> {
  if (process.env[RUN_URL] !== undefined) return async () => undefined;
  const prefix = `gatehouse_test_${randomBytes(3).toString('hex')}_`;
  let postgres: Promise<TestServer> | undefined;

  const door = createServer((_, response) => {
    postgres ??= startTestPostgres(prefix);
    postgres.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  process.env[RUN_URL] = `http://127.0.0.1:${(door.address() as AddressInfo).port}`;
  process.env[RUN_PREFIX] = prefix;

  return async () => {
    delete process.env[RUN_URL];
    delete process.env[RUN_PREFIX];
    door.closeAllConnections();
    door.close();
    const server = await postgres?.catch(() => undefined);
    await server?.close();
  };
}
