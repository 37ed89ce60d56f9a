import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTestPostgres, type TestServer } from './postgres/postgres-server.ts';
import { RUN_PREFIX, RUN_URL } from './postgres/test-database.ts';

/**
 * vitest's global setup, also for concurrent runs of vitest. Test files run in processes of their own and share one
 * PostgreSQL. This process starts it when the first file requests its URL over HTTP, and stops it at the end of the run.
 * Does nothing if a parent process has set it up.
 */
export async function setup(): Promise<() => Promise<void>> {
  if (process.env[RUN_URL] !== undefined) return async () => undefined;
  const prefix = `gatehouse_test_${randomBytes(3).toString('hex')}_`;
  let postgres: Promise<TestServer> | undefined;

  const server = createServer((_, response) => {
    postgres ??= startTestPostgres(prefix);
    postgres.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env[RUN_URL] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env[RUN_PREFIX] = prefix;

  return async () => {
    delete process.env[RUN_URL];
    delete process.env[RUN_PREFIX];
    server.closeAllConnections();
    server.close();
    const postgresServer = await postgres?.catch(() => undefined);
    await postgresServer?.close();
  };
}
