import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DataFolder, testDataFolder } from '@gatehouse/dev-env/data-folder';
import { freePort } from '@gatehouse/dev-env/free-port';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { edgeUrl } from '../running-suite.ts';

/** Whole suites start here, on machines that may be busy with more. */
const SLOW = { timeout: 120_000 };
const START = fileURLToPath(new URL('../start.ts', import.meta.url));
let temporary: DataFolder;
let folder: string;
const started: { child: ChildProcess; ended: Promise<unknown> }[] = [];

beforeAll(async () => {
  temporary = await testDataFolder('start');
  folder = temporary.path;
});

afterEach(async () => {
  for (const { child, ended } of started.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
});

afterAll(async () => {
  await temporary.remove();
});

function start(env: NodeJS.ProcessEnv, args: string[] = [], cwd?: string) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', START, ...args], {
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: join(folder, 'data'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd,
  });
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.err += text;
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...said }));
  const run = { child, said, ended };
  started.push(run);
  return run;
}

/** Starts the suite and waits for its line. */
const startReady = (env: NodeJS.ProcessEnv = {}) => untilReady(start(env));

async function untilReady(run: ReturnType<typeof start>) {
  await Promise.race([once(run.child.stdout, 'data'), run.ended]);
  const base = /^ready (http:\/\/127\.0\.0\.1:\d+)\/api\/v1\n$/.exec(run.said.out)?.[1];
  if (base === undefined) throw new Error(`not ready: ${run.said.out}${run.said.err}`);
  const children = await readFile(`/proc/${run.child.pid}/task/${run.child.pid}/children`, 'utf8');
  return { ...run, base, pids: children.trim().split(' ').map(Number) };
}

/** Their share of what the machine has: pages of the node program that all have in common count once. */
async function megabytesOf(pids: number[]): Promise<number> {
  const maps = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/smaps_rollup`, 'utf8')));
  return maps.reduce((sum, map) => sum + Number(/^Pss:\s+(\d+) kB$/m.exec(map)?.[1]) / 1024, 0);
}

async function isGone(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z');
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
}

const allGone = (pids: number[]) => Promise.all(pids.map(isGone)).then((gone) => gone.every(Boolean));

/** What others' programs go by: this suite reads its own settings. */
function strangeSurroundings(proxy: string): NodeJS.ProcessEnv {
  const proxies = ['grpc_proxy', 'http_proxy', 'https_proxy', 'all_proxy'];
  return {
    ...Object.fromEntries(proxies.flatMap((name) => [name, name.toUpperCase()].map((one) => [one, proxy]))),
    PGSSLMODE: 'verify-full',
    PGOPTIONS: '-c default_transaction_read_only=on',
    PGAPPNAME: 'somebody-else',
    PGHOST: 'nowhere.invalid',
    PGPORT: '1',
    PGUSER: 'nobody',
    PGPASSWORD: 'wrong',
    PGSERVICE: 'nowhere',
    PGREPLICATION: 'database',
    PGDATA: '/nowhere',
  };
}

test(
  'says ready once all answer, starts again what is killed, and ends everything on SIGTERM',
  SLOW,
  async () => {
    let proxied = 0;
    const proxy = createServer((socket) => {
      proxied++;
      socket.destroy();
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const { port } = proxy.address() as AddressInfo;
    const strange = strangeSurroundings(`http://127.0.0.1:${port}`);
    const suite = await startReady({ DRAIN_DELAY_SECONDS: '2', ...strange });
    expect((await fetch(`${suite.base}/livez`)).status).toBe(200);
    expect(suite.pids).toHaveLength(9);
    await expect.poll(() => suite.said.err).toContain(`${suite.base}/account`);
    expect(edgeUrl({ DATA_DIR: join(folder, 'data') })).toBe(suite.base);

    const [postgres, ...ours] = [...suite.pids, suite.child.pid ?? 0];
    expect(postgres).toBeDefined();
    expect(await megabytesOf(ours)).toBeLessThan(600);

    // The first that was started is PostgreSQL, the last but two webhook-delivery, which keeps webhooks in it.
    for (const victim of [suite.pids.at(0), suite.pids.at(-3)]) process.kill(victim ?? 0, 'SIGKILL');
    const again = /ended( \(signal SIGKILL\))?; starting it again in 100 ms/g;
    await expect.poll(() => suite.said.err.match(again)).toHaveLength(2);
    // PostgreSQL recovers from a crash with writes to the disk.
    await expect
      .poll(async () => (await fetch(`${suite.base}/readyz`)).status, { timeout: 60_000 })
      .toBe(200);
    const unknownWebhook = `${suite.base}/api/v1/webhooks/1/${'a'.repeat(68)}`;
    await expect.poll(async () => (await fetch(unknownWebhook)).status).toBe(404);

    const signalledAt = performance.now();
    const saidBefore = suite.said.err.length;
    suite.child.kill('SIGTERM');
    // Ready no more, but it still works: so a load balancer can turn elsewhere.
    await expect.poll(async () => (await fetch(`${suite.base}/readyz`)).status).toBe(503);
    expect((await fetch(unknownWebhook)).status).toBe(404);
    const { code, out, err } = await suite.ended;
    expect(performance.now() - signalledAt).toBeLessThan(12_000);
    expect(err.slice(saidBefore)).toBe('stopping\n');
    expect({ code, lines: out.split('\n').length }).toEqual({ code: 0, lines: 2 });
    expect(await allGone(suite.pids)).toBe(true);
    proxy.close();
    expect(proxied).toBe(0);
    expect(await readdir(join(folder, 'data'))).not.toContain('suite.pid');
    expect(await readdir(join(folder, 'data/logs'))).toEqual(
      expect.arrayContaining(['gateway.log', 'postgres.log']),
    );
  },
);

test(
  'a second suite on the same DATA_DIR is refused; killing the first ends all its processes',
  SLOW,
  async () => {
    const suite = await startReady();
    // Nobody reads what it says any more, and its logs are gone.
    for (const stream of [suite.child.stdout, suite.child.stderr]) stream.destroy();
    await rm(join(folder, 'data/logs'), { recursive: true });
    process.kill(suite.pids.at(-1) ?? 0, 'SIGKILL');
    const log = join(folder, 'data/logs/realtime.log');
    await expect.poll(() => readFile(log, 'utf8').catch(() => '')).toContain('listening on');
    const second = await start({}).ended;
    expect(second).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining(`is in use by process ${suite.child.pid}`),
    });

    suite.child.kill('SIGKILL');
    await expect.poll(() => allGone(suite.pids)).toBe(true);
    // A port that is lost between its choice and its start: everything is started again.
    const port = await freePort();
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    const again = start({ METRICS_LISTEN: `127.0.0.1:${port}` });
    await expect.poll(() => again.said.err).toContain(`gateway cannot listen on port ${port}`);
    other.close();
    const next = await untilReady(again);
    next.child.kill('SIGINT');
    next.child.kill('SIGINT'); // A terminal and npm both pass Ctrl-C on: that is one wish, not two.
    expect((await next.ended).code).toBe(0);
  },
);

test('a port in use is named, with the variable to set', async () => {
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

test('settings that cannot be used stop the start with all of them named, before anything runs', async () => {
  const data = join(folder, 'never');
  const { code, err } = await start({ DATA_DIR: data, LOG_LEVEL: 'loud', RATE_LIMITS: 'off', REDIS_URL: 'x' })
    .ended;
  expect(code).toBe(78);
  for (const name of ['LOG_LEVEL', 'RATE_LIMITS', 'REDIS_URL']) expect(err).toContain(name);
  await expect(readdir(data)).rejects.toThrow('ENOENT');
});

test('a setting that only the services know stops it too, with whom it concerns', async () => {
  const data = join(folder, 'never');
  const { code, out, err } = await start({ DATA_DIR: data, DATABASE_POOL_SIZE: 'many' }).ended;
  expect({ code, out }).toEqual({ code: 78, out: '' });
  expect(err).toContain('DATABASE_POOL_SIZE must be a whole number from 3 to 100 (auth, chat, media)');
  await expect(readdir(data)).rejects.toThrow('ENOENT');
});

test('settings of .env count where the environment has none', async () => {
  await writeFile(join(folder, '.env'), 'LOG_LEVEL=loud\nREDIS_URL=x\nRATELIMIT_REPLICAS=many\n');
  const { code, err } = await start({ REDIS_URL: 'redis://h', LOG_LEVEL: '' }, [], folder).ended;
  await rm(join(folder, '.env'));
  expect({ code, err }).toEqual({ code: 78, err: expect.stringContaining('RATELIMIT_REPLICAS') });
  expect(err).not.toMatch(/LOG_LEVEL|REDIS_URL/);
});

test('a setting that a service cannot use once it runs stops the start, with what it says', async () => {
  const { code, out, err } = await start({ RATELIMIT_RULES_FILE: join(folder, 'nowhere.json') }).ended;
  expect({ code, out }).toEqual({ code: 78, out: '' });
  expect(err).toMatch(
    /ratelimit: The configuration cannot be used:\s+- RATELIMIT_RULES_FILE .*nowhere\.json/,
  );
});

test('--help names every setting', async () => {
  const { code, out } = await start({}, ['--help']).ended;
  expect(code).toBe(0);
  for (const name of ['PORT', 'HOST', 'DATA_DIR', 'DATABASE_URL', 'REDIS_URL', 'SMTP_URL'])
    expect(out).toContain(name);
});
