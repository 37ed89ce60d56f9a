import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@gatehouse/dev-env/free-port';
import { pythonEnvironment, pythonPackages } from '@gatehouse/dev-env/programs/python-packages';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { installClient, testPackages } from './installed-client.ts';
import { type RatelimitProcess, startRatelimit } from './ratelimit-process.ts';

const EXAMPLE = fileURLToPath(new URL('../../../examples/fastapi/', import.meta.url));

const packages = await pythonPackages({
  of: 'the example of FastAPI',
  python: 'python3 (3.11 to 3.14)',
  requirements: `${EXAMPLE}requirements.txt`,
  modules: ['fastapi', 'uvicorn'],
  folderName: (digest, version) => `fastapi-${digest}-python-${version}`,
});

describe.skipIf(packages === undefined || testPackages === undefined)('the example of FastAPI', () => {
  let client: Awaited<ReturnType<typeof installClient>>;
  let ratelimit: RatelimitProcess;
  let url = '';
  let stop: () => Promise<void>;
  beforeAll(async () => {
    [client, ratelimit] = await Promise.all([installClient(), startRatelimit()]);
  });
  afterEach(() => stop());
  afterAll(() => Promise.all([client.remove(), ratelimit.stop()]));

  async function start(RATELIMIT_ADDRESS: string): Promise<void> {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const env = pythonEnvironment([client.folder, testPackages, packages].join(delimiter));
    const app = spawn(
      'python3',
      ['-m', 'uvicorn', 'app:app', '--port', String(port), '--log-level', 'error'],
      {
        cwd: EXAMPLE,
        env: { ...env, RATELIMIT_ADDRESS },
        stdio: ['ignore', 'inherit', 'inherit'],
      },
    );
    stop = async () => {
      const ended = once(app, 'exit');
      if (app.kill()) await ended;
    };
    const answers = () =>
      fetch(`${url}/openapi.json`).then(
        ({ ok }) => ok,
        () => false,
      );
    await vi.waitUntil(answers, { timeout: 30_000 });
  }

  const search = (key: string) => fetch(`${url}/gifs?query=cats`, { headers: { 'x-api-key': key } });

  it('admits a limit’s worth by API key and by address, and answers 429 with the wait', async () => {
    await start(ratelimit.address);
    const answers = await Promise.all(Array.from({ length: 200 }, () => search('mine')));
    const refused = answers.filter(({ status }) => status === 429);
    // 40 per 10 s, and what drains meanwhile.
    expect(answers.filter(({ ok }) => ok).length).toBeGreaterThanOrEqual(40);
    expect(refused.length).toBeGreaterThan(0);
    const [denied] = refused;
    expect(await denied?.json()).toEqual({ detail: 'You are being rate limited.' });
    expect(Object.fromEntries(denied?.headers ?? [])).toMatchObject({
      'retry-after': '1',
      'x-ratelimit-limit': '40',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset-after': expect.stringMatching(/^\d+\.\d{3}$/),
    });
    expect((await search('another')).status).toBe(200);

    const names = await Promise.all(Array.from({ length: 40 }, () => fetch(`${url}/usernames/ada`)));
    expect(names.filter(({ ok }) => ok).length).toBeGreaterThanOrEqual(20); // per 60 s
    expect(names.some(({ status }) => status === 429)).toBe(true);
  });

  it('limits without ratelimit too', async () => {
    await start('127.0.0.1:1');
    const answers = await Promise.all(Array.from({ length: 200 }, () => search('mine')));
    expect(answers.filter(({ ok }) => ok).length).toBeGreaterThanOrEqual(40);
    expect(answers.some(({ status }) => status === 429)).toBe(true);
  });
});
