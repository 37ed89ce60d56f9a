import { expect, test } from 'vitest';
import { Fault } from '../../src/fault.ts';
import { concurrency } from '../../src/queues/concurrency.ts';

/** Work that ends when the test says so; `begun` records the order of starts. */
function works() {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  return {
    begun,
    work: (number: number) => () => {
      begun.push(number);
      return new Promise<number>((resolve) => {
        ends[number] = () => resolve(number);
      });
    },
    end: (number: number) => ends[number]?.(),
  };
}

const reasonOf = (call: Promise<unknown>) =>
  call.then(
    () => 'it succeeded',
    (error: unknown) => (error instanceof Fault ? error.reason : String(error)),
  );

test('limits concurrent work, runs the rest in the order of arrival, and refuses work beyond the queue', async () => {
  const { begun, work, end } = works();
  const inTurn = concurrency({ at_once: 2, max_waiting: 2 });
  const calls = [0, 1, 2, 3].map((number) => inTurn(work(number)));
  expect(await reasonOf(inTurn(work(4)))).toBe('SERVICE_UNAVAILABLE');
  expect(begun).toEqual([0, 1]);

  end(1);
  expect(await calls[1]).toBe(1);
  await expect.poll(() => begun).toEqual([0, 1, 2]);
  const fifth = inTurn(work(5)); // there is room again
  for (const number of [0, 2]) end(number);
  await expect.poll(() => begun).toEqual([0, 1, 2, 3, 5]);
  for (const number of [3, 5]) end(number);
  expect(await Promise.all([...calls, fifth])).toEqual([0, 1, 2, 3, 5]);
});

test('failed work makes room for the next', async () => {
  const inTurn = concurrency({ at_once: 1, max_waiting: 1 });
  const failing = inTurn(() => Promise.reject(new Error('no')));
  const next = inTurn(() => Promise.resolve('yes'));
  expect(await reasonOf(failing)).toBe('Error: no');
  expect(await next).toBe('yes');
});

test('work that throws synchronously makes room too', async () => {
  const inTurn = concurrency({ at_once: 1, max_waiting: 0 });
  const thrown = inTurn(() => {
    throw new Error('at once');
  });
  expect(await reasonOf(thrown)).toBe('Error: at once');
  expect(await inTurn(() => Promise.resolve('yes'))).toBe('yes');
});

test('work of a caller that is gone is not begun', async () => {
  const { begun, work, end } = works();
  const inTurn = concurrency({ at_once: 1, max_waiting: 2 });
  const caller = new AbortController();
  const first = inTurn(work(0));
  const gone = reasonOf(inTurn(work(1), caller.signal));
  const last = inTurn(work(2));
  caller.abort();
  end(0);
  expect(await first).toBe(0);
  expect(await gone).toBe('CANCELLED');
  await expect.poll(() => begun).toEqual([0, 2]);
  end(2);
  expect(await last).toBe(2);
});

test('origins take turns, and work that waits too long is refused', async () => {
  const { begun, work, end } = works();
  const inTurn = concurrency({ at_once: 1, max_waiting: 5, max_waiting_per_origin: 2 });
  const first = inTurn(work(0));
  const busy = [1, 2].map((number) => inTurn(work(number), undefined, { from: ['busy'] }));
  expect(await reasonOf(inTurn(work(3), undefined, { from: ['busy'] }))).toBe('SERVICE_UNAVAILABLE');
  const other = inTurn(work(4), undefined, { from: ['other'] });
  const late = inTurn(work(5), undefined, { from: ['late'], until_ms: performance.now() });
  expect(await reasonOf(late)).toBe('SERVICE_UNAVAILABLE');
  for (const number of [0, 1, 4, 2]) {
    await expect.poll(() => begun).toContain(number);
    end(number);
  }
  expect(await Promise.all([first, ...busy, other])).toEqual([0, 1, 2, 4]);
  expect(begun).toEqual([0, 1, 4, 2]);
});

test('the watch gets the queue length, and the duration of each piece of work', async () => {
  const { work, end } = works();
  const took: number[] = [];
  let waiting = (): number => -1;
  const watch = {
    watchQueue: (count: () => number) => (waiting = count),
    worked: (ms: number) => took.push(ms),
  };
  const inTurn = concurrency({ at_once: 1, max_waiting: 5, watch });
  const calls = [0, 1].map((number) => inTurn(work(number)));
  expect(waiting()).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 30));
  const begunAt = performance.now();
  end(0);
  await calls[0];
  await expect.poll(waiting).toBe(0);
  end(1);
  await calls[1];
  expect(took).toHaveLength(2);
  expect(took[0]).toBeGreaterThan(25);
  expect(took[1], 'without its wait').toBeLessThanOrEqual(performance.now() - begunAt);
});
