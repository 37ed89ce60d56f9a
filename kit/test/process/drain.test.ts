import { freePort } from '@gatehouse/dev-env/free-port';
import { PROCESS_SETTINGS } from '@gatehouse/dev-env/processes/process-settings';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../src/log.ts';
import { startProcess } from '../../src/process/start-process.ts';
import { implement } from '../../src/rpc.ts';
import { CountDefinition, type EchoMessage } from '../support/echo-definition.ts';
import { atEnd, client, LOCAL, text } from '../support/echo-service.ts';

const DELAY_MS = 2_000;
const timeoutMs = 10_000;
const everything = { allows: () => true, mayActForCallers: () => true };

/** A process that answers "slowly" when `release` is called, and everything else at once. */
async function startEcho(drain_delay_ms: number) {
  const metrics = `127.0.0.1:${await freePort()}`;
  const config = { ...PROCESS_SETTINGS, metrics_listen: metrics, drain_delay_ms };
  const gate = Promise.withResolvers<void>();
  let asked = 0;
  let drained = 0;
  const running = await startProcess({ name: 'echo', config, log: silentLogger, local: LOCAL }, (runtime) => {
    const say = async (request: EchoMessage) => {
      asked++;
      if (request.value === 'slowly') await gate.promise;
      return request;
    };
    runtime.onDrain(() => {
      drained++;
    });
    const handlers = { say, again: say, count: async function* () {} };
    return runtime.serve('127.0.0.1:0', [implement(CountDefinition, handlers)], everything);
  });
  atEnd(() => running.close().catch(() => undefined));
  return {
    running,
    release: gate.resolve,
    asked: () => asked,
    drained: () => drained,
    probe: async (path: string) => (await fetch(`http://${metrics}${path}`)).status,
  };
}

describe.each(['stream', 'unary', 'direct'] as const)('a process that shuts down, over %s', (transport) => {
  it('is not ready at once, takes work during its drain delay, and cuts off nothing', async () => {
    const { running, release, asked, drained, probe } = await startEcho(DELAY_MS);
    const peer = client(running.address, transport);
    const { client: echo } = peer;
    expect(await Promise.all([probe('/readyz'), peer.healthy(timeoutMs)])).toEqual([200, true]);

    const toldAt = performance.now();
    const closed = running.close();
    expect(drained()).toBe(1);
    expect(await Promise.all([probe('/readyz'), probe('/livez'), peer.healthy(timeoutMs)])).toEqual([
      503,
      200,
      false,
    ]);
    const late = client(running.address, transport); // the notice has not arrived yet
    while (performance.now() - toldAt < DELAY_MS / 2) {
      await echo.say(text('x'), { timeoutMs });
      await late.client.say(text('x'), { timeoutMs });
    }
    const before = asked();
    const slowly = [echo.say(text('slowly'), { timeoutMs }), late.client.say(text('slowly'), { timeoutMs })];
    await expect.poll(asked).toBe(before + 2);
    await expect.poll(() => probe('/livez').catch(() => 'closed')).toBe('closed');
    expect(performance.now() - toldAt).toBeGreaterThan(DELAY_MS - 5);
    release();
    expect(await Promise.all(slowly)).toEqual([text('slowly'), text('slowly')]);
    await closed;
  });

  it('loses no call of clients with another replica, however many are in flight', async () => {
    const servers = [await startEcho(DELAY_MS), await startEcho(DELAY_MS)];
    const addresses = servers.map(({ running }) => running.address);
    const peer = client(addresses.join(','), transport);
    let stop = false;
    const load = Array.from({ length: 16 }, async () => {
      while (!stop) await peer.client.say(text('x'), { timeoutMs }); // not idempotent: a lost call fails the test
    });
    const [first, second] = servers;
    await expect.poll(() => Math.min(first?.asked() ?? 0, second?.asked() ?? 0)).toBeGreaterThan(50);
    const closed = first?.running.close();
    if (transport !== 'unary') await expect.poll(nothingMore(first), { interval: 100 }).toBe(true);
    expect(await peer.healthy(timeoutMs), 'the other serves').toBe(true);
    expect((await first?.probe('/livez')) ?? 0, 'it has not closed yet').toBe(200);
    await closed;
    const before = second?.asked() ?? 0;
    await expect.poll(() => second?.asked()).toBeGreaterThan(before + 100);
    expect(await peer.healthy(timeoutMs)).toBe(true);
    stop = true;
    await Promise.all(load);
  });
});

/** Whether no request has arrived since the last call. */
function nothingMore(echo: { asked(): number } | undefined): () => boolean {
  let asked = -1;
  return () => {
    const before = asked;
    asked = echo?.asked() ?? 0;
    return asked === before;
  };
}
