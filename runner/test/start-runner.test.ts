import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { freePort } from '@gatehouse/dev-env/free-port';
import { ConfigError } from '@gatehouse/kit/env';
import { expect, onTestFinished, test } from 'vitest';
import { startRunner } from '../src/start-runner.ts';

const QUIET = { LOG_LEVEL: 'silent' };

test('invalid settings of all services are reported together, each with its service', async () => {
  const failed = startRunner({ ...QUIET, SERVICES: 'ratelimit,auth', RATELIMIT_MAX_BUCKETS: 'many' });
  const problems = await failed.catch((error: Error) =>
    error instanceof ConfigError ? error.problems : [error],
  );
  expect(problems).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^ratelimit: RATELIMIT_MAX_BUCKETS /),
      expect.stringMatching(/^auth: DATABASE_URL /),
      expect.stringMatching(/^auth: AUTH_SECRET_KEY /),
    ]),
  );
});

test('if a service cannot start, the others stop again', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as AddressInfo;
  const RATELIMIT_LISTEN = `127.0.0.1:${await freePort()}`;
  const env = { ...QUIET, SERVICES: 'gateway,ratelimit', PORT: String(port), RATELIMIT_LISTEN };
  await expect(startRunner(env)).rejects.toThrow('EADDRINUSE');
  const alone = await startRunner({ ...QUIET, SERVICES: 'ratelimit', RATELIMIT_LISTEN });
  expect(alone.address).toBe(`${RATELIMIT_LISTEN} (ratelimit)`);
  await alone.close();
});
