import { expect, it } from 'vitest';
import { ReadyBudget } from '../../src/sessions/ready-budget.ts';

const MiB = 1024 * 1024;

/** Takes from a budget, and records the order in which it is given. */
function taking(max_bytes: number) {
  const budget = new ReadyBudget(max_bytes);
  const taken: string[] = [];
  const take = (
    name: string,
    account: string,
    bytes: number,
    signal = new AbortController().signal,
  ): Promise<() => void> =>
    budget.take(account, bytes, signal).then((release = () => undefined) => {
      taken.push(name);
      return release;
    });
  return { budget, taken, take };
}

it('is given in order, to one READY per account at a time', async () => {
  const { budget, taken, take } = taking(3 * MiB);
  const first = await take('a1', 'a', MiB);
  const second = take('a2', 'a', MiB);
  const other = await take('b1', 'b', MiB);
  const third = take('c1', 'c', 3 * MiB);
  const last = take('d1', 'd', MiB);
  expect([taken, budget.bytes()]).toEqual([['a1', 'b1'], 2 * MiB]);
  first();
  first();
  (await second)();
  expect(taken).toEqual(['a1', 'b1', 'a2']);
  other();
  await expect.poll(() => taken).toEqual(['a1', 'b1', 'a2', 'c1']);
  expect(budget.bytes()).toBe(3 * MiB);
  (await third)();
  (await last)();
  expect([taken.at(-1), budget.bytes()]).toEqual(['d1', 0]);
});

it('has a queue that one account cannot fill', async () => {
  const { taken, take } = taking(MiB);
  const release = await take('a', 'a', MiB);
  const gone = new AbortController();
  const hog = Array.from({ length: 20 }, () =>
    take('a', 'a', MiB, gone.signal).catch((error) => error.reason),
  );
  const other = take('b', 'b', MiB);
  await take('small', 'c', 1_000);
  gone.abort();
  const outcomes = await Promise.all(hog);
  expect(outcomes.filter((outcome) => outcome === 'BUSY')).toHaveLength(12);
  release();
  (await other)();
  expect(taken).toEqual(['a', 'small', 'b']);
});

it('has a queue that several accounts cannot fill, and that a READY leaves when its client disconnects', async () => {
  const { budget, taken, take } = taking(MiB);
  const release = await take('a', 'a', MiB);
  const gone = new AbortController();
  const hogs = ['p', 'q', 'r', 's', 't', 'u', 'v', 'w'].flatMap((account) =>
    Array.from({ length: 8 }, () => take(account, account, MiB, gone.signal).catch((error) => error.reason)),
  );
  const b = take('b', 'b', MiB);
  gone.abort();
  release();
  (await b)();
  expect(taken).toEqual(['a', 'b']);
  expect(new Set(await Promise.all(hogs))).toEqual(new Set(['BUSY', 'CANCELLED']));
  expect(budget.bytes()).toBe(0);
});
