import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { edgeUrl } from '@gatehouse/cli/stack/addresses';
import { freePort } from '@gatehouse/dev-env/free-port';
import { expect, test } from 'vitest';
import { type StartCommand, useStartCommand } from './testing/use-start-command.ts';

/** Whole stacks start here, on a machine that may be busy. */
const SLOW = { timeout: 120_000 };
const { path, start } = useStartCommand();

/** Starts a stack and waits for its `ready` line. */
const startReady = (env: NodeJS.ProcessEnv = {}) => untilReady(start(env));

async function untilReady(run: StartCommand) {
  await Promise.race([once(run.child.stdout ?? run.child, 'data'), run.ended]);
  const base = /^ready (http:\/\/127\.0\.0\.1:\d+)\/api\/v1\n$/.exec(run.output.out)?.[1];
  if (base === undefined) throw new Error(`not ready: ${run.output.out}${run.output.err}`);
  const children = await readFile(`/proc/${run.child.pid}/task/${run.child.pid}/children`, 'utf8');
  return { ...run, base, pids: children.trim().split(' ').map(Number) };
}

/** Their proportional set size: shared pages count once. */
async function megabytesOf(pids: number[]): Promise<number> {
  const maps = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/smaps_rollup`, 'utf8')));
  return maps.reduce((sum, map) => sum + Number(/^Pss:\s+(\d+) kB$/m.exec(map)?.[1]) / 1024, 0);
}

async function isGone(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z');
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
}

const allGone = (pids: number[]) => Promise.all(pids.map(isGone)).then((gone) => gone.every(Boolean));

/** Variables of other programs; the stack reads its own settings. */
function unusualEnvironment(proxy: string): NodeJS.ProcessEnv {
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
  'prints ready once all services answer, restarts killed processes, and stops everything on SIGTERM',
  SLOW,
  async () => {
    let proxied = 0;
    const proxy = createServer((socket) => {
      proxied++;
      socket.destroy();
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const { port } = proxy.address() as AddressInfo;
    const strange = unusualEnvironment(`http://127.0.0.1:${port}`);
    const stack = await startReady({ DRAIN_DELAY_SECONDS: '5', ...strange });
    expect((await fetch(`${stack.base}/livez`)).status).toBe(200);
    expect(stack.pids).toHaveLength(10);
    await expect.poll(() => stack.output.err).toContain(`${stack.base}/account`);
    await expect.poll(() => stack.output.err).toContain(`${stack.base}/dev/mail`);
    expect(edgeUrl({ DATA_DIR: path('data') })).toBe(stack.base);

    const [postgres, ...ours] = [...stack.pids, stack.child.pid ?? 0];
    expect(postgres).toBeDefined();
    expect(await megabytesOf(ours)).toBeLessThan(600);

    // The first that was started is PostgreSQL, the last but three webhook-delivery, which keeps webhooks in it.
    for (const victim of [stack.pids.at(0), stack.pids.at(-4)]) process.kill(victim ?? 0, 'SIGKILL');
    const again = /ended( \(signal SIGKILL\))?; restarting it in 100 ms/g;
    await expect.poll(() => stack.output.err.match(again)).toHaveLength(2);
    // PostgreSQL writes to the disk when it recovers from a crash.
    await expect
      .poll(async () => (await fetch(`${stack.base}/readyz`)).status, { timeout: 60_000 })
      .toBe(200);
    const unknownWebhook = `${stack.base}/api/v1/webhooks/1/${'a'.repeat(68)}`;
    await expect.poll(async () => (await fetch(unknownWebhook)).status).toBe(404);

    const signalledAt = performance.now();
    const errorsBefore = stack.output.err.length;
    stack.child.kill('SIGTERM');
    // Not ready, but still working, so that a load balancer can use another one.
    await expect.poll(async () => (await fetch(`${stack.base}/readyz`)).status).toBe(503);
    expect((await fetch(unknownWebhook)).status).toBe(404);
    const { code, out, err } = await stack.ended;
    expect(performance.now() - signalledAt).toBeLessThan(15_000);
    expect(err.slice(errorsBefore)).toBe('stopping\n');
    expect({ code, lines: out.split('\n').length }).toEqual({ code: 0, lines: 2 });
    expect(await allGone(stack.pids)).toBe(true);
    proxy.close();
    expect(proxied).toBe(0);
    expect(await readdir(path('data'))).not.toContain('stack.pid');
    expect(await readdir(path('data/logs'))).toEqual(expect.arrayContaining(['gateway.log', 'postgres.log']));
  },
);

test(
  'a second stack on the same DATA_DIR is refused; killing the first ends all its processes',
  SLOW,
  async () => {
    const stack = await startReady();
    // Its output is closed, and its logs are gone.
    for (const stream of [stack.child.stdout, stack.child.stderr]) stream?.destroy();
    await rm(path('data/logs'), { recursive: true });
    process.kill(stack.pids.at(-1) ?? 0, 'SIGKILL');
    const log = path('data/logs/console.log');
    await expect.poll(() => readFile(log, 'utf8').catch(() => '')).toContain('listening on');
    const second = await start({}).ended;
    expect(second).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining(`is in use by process ${stack.child.pid}`),
    });

    stack.child.kill('SIGKILL');
    await expect.poll(() => allGone(stack.pids)).toBe(true);
    // If a port is lost between its choice and the start, everything restarts.
    const port = await freePort();
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    const again = start({ METRICS_LISTEN: `127.0.0.1:${port}` });
    await expect.poll(() => again.output.err).toContain(`gateway cannot listen on port ${port}`);
    other.close();
    const next = await untilReady(again);
    next.child.kill('SIGINT');
    next.child.kill('SIGINT'); // A terminal and npm both forward Ctrl-C; the two signals are one request.
    expect((await next.ended).code).toBe(0);
  },
);
