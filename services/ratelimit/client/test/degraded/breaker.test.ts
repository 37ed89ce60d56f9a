import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { Breaker } from '../../src/degraded/breaker.ts';

let one: Breaker;
afterEach(() => one.close());

/** Fails in separate turns of the event loop. */
async function fail(times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    one.failed();
    await turn();
    await turn();
  }
}

it('opens after five failures in a row, those of one turn counting once, and closes when a probe succeeds', async () => {
  const said: string[] = [];
  let probes = 0;
  one = new Breaker({
    probe: () => (++probes < 3 ? Promise.reject(new Error('not yet')) : Promise.resolve()),
    timeout_ms: 25,
    onOpen: () => said.push('open'),
    onClose: () => said.push('close'),
  });
  for (let n = 0; n < 20; n++) one.failed();
  await turn();
  await fail(3);
  expect(one.isOpen()).toBe(false);
  await fail(1);
  expect(one.isOpen()).toBe(true);
  await expect.poll(() => one.isOpen()).toBe(false);
  expect([probes, said]).toEqual([3, ['open', 'close']]);
  await fail(4);
  expect(one.isOpen(), 'it counts from the beginning').toBe(false);
});

const probe = () => Promise.reject(new Error('away'));

it('stays closed while there are successes among the failures', async () => {
  one = new Breaker({ probe, timeout_ms: 0 });
  await fail(4);
  one.succeeded();
  await fail(4);
  expect(one.isOpen()).toBe(false);
  await fail(1);
  expect(one.isOpen()).toBe(true);
});

it('stays closed after any number of failures while an answer may still be on its way', async () => {
  one = new Breaker({ probe, timeout_ms: 60_000 });
  one.succeeded();
  await fail(100);
  expect(one.isOpen()).toBe(false);
  one.close();

  one = new Breaker({ probe, timeout_ms: 25 });
  one.succeeded();
  const isOpenAfterOneMore = async () => {
    await fail(1);
    return one.isOpen();
  };
  await expect.poll(isOpenAfterOneMore, { interval: 1 }).toBe(true);
});

it('may start open, and never opens after close()', async () => {
  one = new Breaker({ probe, timeout_ms: 25, starts_open: true });
  expect(one.isOpen()).toBe(true);
  one.close();
  await fail(5);
  expect(one.isOpen()).toBe(false);
});
