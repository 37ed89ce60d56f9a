import { once } from 'node:events';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { useStartCommand } from './testing/use-start-command.ts';

const { path, start } = useStartCommand();

test('an error for a port in use names it, and the variable to set', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const { code, err } = await start({ PORT: String(port - 1) }).ended;
  other.close();
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringMatching(new RegExp(`port (${port}|${port - 1}), wanted for`)),
  });
  expect(err).toContain('PORT');
});

test('invalid settings stop the start before anything runs, and all are named', async () => {
  const data = path('never');
  const { code, err } = await start({ DATA_DIR: data, LOG_LEVEL: 'loud', RATE_LIMITS: 'off', REDIS_URL: 'x' })
    .ended;
  expect(code).toBe(78);
  for (const name of ['LOG_LEVEL', 'RATE_LIMITS', 'REDIS_URL']) expect(err).toContain(name);
  await expect(readdir(data)).rejects.toThrow('ENOENT');
});

test('an invalid setting of a service stops it too, with the names of the services', async () => {
  const data = path('never');
  const { code, out, err } = await start({ DATA_DIR: data, DATABASE_POOL_SIZE: 'many' }).ended;
  expect({ code, out }).toEqual({ code: 78, out: '' });
  expect(err).toContain('DATABASE_POOL_SIZE must be a whole number from 3 to 100 (auth, chat, media)');
  await expect(readdir(data)).rejects.toThrow('ENOENT');
});

test('settings of .env apply where the environment has none', async () => {
  await writeFile(path('.env'), 'LOG_LEVEL=loud\nREDIS_URL=x\nRATELIMIT_REPLICAS=many\n');
  const { code, err } = await start({ REDIS_URL: 'redis://h', LOG_LEVEL: '' }, [], path()).ended;
  await rm(path('.env'));
  expect({ code, err }).toEqual({ code: 78, err: expect.stringContaining('RATELIMIT_REPLICAS') });
  expect(err).not.toMatch(/LOG_LEVEL|REDIS_URL/);
});

test('a setting that fails when a service starts stops the start, with the message of the service', async () => {
  const { code, out, err } = await start({ RATELIMIT_RULES_FILE: path('nowhere.json') }).ended;
  expect({ code, out }).toEqual({ code: 78, out: '' });
  expect(err).toMatch(
    /ratelimit: The configuration cannot be used:\s+- RATELIMIT_RULES_FILE .*nowhere\.json/,
  );
});

test('--help lists every setting', async () => {
  const { code, out } = await start({}, ['--help']).ended;
  expect(code).toBe(0);
  for (const name of ['PORT', 'HOST', 'DATA_DIR', 'DATABASE_URL', 'REDIS_URL', 'SMTP_URL'])
    expect(out).toContain(name);
});
