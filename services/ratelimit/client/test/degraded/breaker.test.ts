import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { Breaker } from '../../src/degraded/breaker.ts';

let breaker: Breaker;
afterEach(() => breaker.stop());

/** Fails in separate turns of the event loop. */
async function fail(times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    breaker.failed();
    await turn();
    await turn();
  }
}

it('opens after five failures in a row, those of one turn counting once, and closes when a probe succeeds', async () => {
  const said: string[] = [];
  let probes = 0;
  breaker = new Breaker({
    probe: () => (++probes < 3 ? Promise.reject(new Error('not yet')) : Promise.resolve()),
    timeout_ms: 25,
    onOpen: () => said.push('open'),
    onClose: () => said.push('close'),
  });
  for (let n = 0; n < 20; n++) breaker.failed();
  await turn();
  await fail(3);
  expect(breaker.isOpen()).toBe(false);
  await fail(1);
  expect(breaker.isOpen()).toBe(true);
  await expect.poll(() => breaker.isOpen()).toBe(false);
  expect([probes, said]).toEqual([3, ['open', 'close']]);
  await fail(4);
  expect(breaker.isOpen(), 'it counts from the beginning').toBe(false);
});

const probe = () => Promise.reject(new Error('away'));

it('stays closed while there are successes among the failures', async () => {
  breaker = new Breaker({ probe, timeout_ms: 0 });
  await fail(4);
  breaker.succeeded();
  await fail(4);
  expect(breaker.isOpen()).toBe(false);
  await fail(1);
  expect(breaker.isOpen()).toBe(true);
});

it('stays closed after any number of failures while an answer may still be on its way', async () => {
  breaker = new Breaker({ probe, timeout_ms: 60_000 });
  breaker.succeeded();
  await fail(100);
  expect(breaker.isOpen()).toBe(false);
  breaker.stop();

  breaker = new Breaker({ probe, timeout_ms: 25 });
  breaker.succeeded();
  const isOpenAfterOneMore = async () => {
    await fail(1);
    return breaker.isOpen();
  };
  await expect.poll(isOpenAfterOneMore, { interval: 1 }).toBe(true);
});

it('may start open, and never opens after close()', async () => {
  breaker = new Breaker({ probe, timeout_ms: 25, starts_open: true });
  expect(breaker.isOpen()).toBe(true);
  breaker.stop();
  await fail(5);
  expect(breaker.isOpen()).toBe(false);
});
