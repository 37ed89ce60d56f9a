import { faultOf } from '@gatehouse/dev-env/faults';
import { freePort } from '@gatehouse/dev-env/free-port';
import { describe, expect, it } from 'vitest';
import { Status } from '../../src/fault.ts';
import { type Child, run } from '../support/child.ts';
import { client, start, text } from '../support/echo-service.ts';
import { LOOPBACK } from '../support/loopback.ts';

/** A server in a process of its own. */
async function child(address = `${LOOPBACK}:0`): Promise<Child & { address: string }> {
  const server = run('echo-server.ts', [address]);
  await expect.poll(server.output).toMatch(/\n$/);
  return { ...server, address: server.output().trim() };
}

const UNAVAILABLE = { status: Status.UNAVAILABLE, reason: 'SERVICE_UNAVAILABLE' };

describe.each(['stream', 'unary'] as const)('over %s', (transport) => {
  it('a killed server: open calls fail at once, and calls work again when it is back', async () => {
    const first = await child(`${LOOPBACK}:${await freePort()}`);
    const { client: echo } = client(first.address, transport);
    expect(await echo.say(text('x'), { timeoutMs: 20_000 })).toEqual(text('x'));
    const open = Array.from({ length: 50 }, () => faultOf(echo.say(text('hang'), { timeoutMs: 60_000 })));
    await echo.say(text('after those'), { timeoutMs: 20_000 });
    first.process.kill('SIGKILL');
    for (const fault of await Promise.all(open)) expect(fault).toMatchObject(UNAVAILABLE);
    expect(await faultOf(echo.say(text('x'), { timeoutMs: 20_000 }))).toMatchObject(UNAVAILABLE);
    await child(first.address);
    await expect
      .poll(() => echo.say(text('y'), { timeoutMs: 1_000 }).catch(() => undefined))
      .toEqual(text('y'));
  });

  it('one of two servers is killed: idempotent calls are repeated, and then no call goes there', async () => {
    const [lost, kept] = await Promise.all([child(), start((request) => request)]);
    const { client: echo } = client(`${lost.address},${kept.address}`, transport);
    const timeoutMs = 20_000;
    await Promise.all(Array.from({ length: 20 }, () => echo.say(text('x'), { timeoutMs })));
    const repeated = Array.from({ length: 20 }, () => echo.again(text('hang'), { timeoutMs }));
    await echo.say(text('after those'), { timeoutMs });
    lost.process.kill('SIGKILL');
    expect(await Promise.all(repeated)).toEqual(repeated.map(() => text('hang')));
    for (let round = 0; round < 20; round++) {
      const calls = Array.from({ length: 20 }, () => echo.say(text('x'), { timeoutMs }));
      expect(await Promise.all(calls)).toHaveLength(20);
    }
  });

  it('a stopped server: calls end at their deadlines, and work again when it continues', async () => {
    const server = await child();
    const { client: echo } = client(server.address, transport);
    await echo.say(text('x'), { timeoutMs: 20_000 });
    server.process.kill('SIGSTOP');
    const calls = [100, 200, 300].map((timeoutMs) => faultOf(echo.say(text('x'), { timeoutMs })));
    for (const fault of await Promise.all(calls)) expect(fault.reason).toBe('GATEWAY_TIMEOUT');
    server.process.kill('SIGCONT');
    expect(await echo.say(text('y'), { timeoutMs: 20_000 })).toEqual(text('y'));
  });

  it('a server that is stopped before the first call: calls time out, and are not refused', async () => {
    const server = await child();
    server.process.kill('SIGSTOP');
    const { client: echo } = client(server.address, transport);
    // No connection attempt is given up later than this.
    const fault = await faultOf(echo.say(text('x'), { timeoutMs: 7_000 }));
    expect(fault.reason).toBe('GATEWAY_TIMEOUT');
    server.process.kill('SIGCONT');
  });

  it('a killed client: the handlers of its calls are aborted', async () => {
    let entered = 0;
    let aborted = 0;
    const server = await start(async (request, { signal }) => {
      entered++;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      aborted++;
      return request;
    });
    const caller = run('echo-client.ts', [server.address, transport]);
    await expect.poll(() => entered).toBe(2);
    caller.process.kill('SIGKILL');
    await expect.poll(() => aborted).toBe(2);
  });
});

it('nothing keeps a process alive after its calls, however they ended', async () => {
  const lifetime = run('rpc-lifetime.ts');
  expect(await lifetime.exit, lifetime.errors()).toBe(0);
  expect(Object.fromEntries(JSON.parse(lifetime.output()))).toEqual({
    ok: 2 * 3,
    INTERNAL_SERVER_ERROR: 2,
    GATEWAY_TIMEOUT: 2,
    CANCELLED: 2 * 501,
    SERVICE_UNAVAILABLE: 2,
  });
});
