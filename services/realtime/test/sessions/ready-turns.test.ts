import { expect, it } from 'vitest';
import { readyTurns } from '../../src/sessions/ready-turns.ts';

const MiB = 1024 * 1024;

/** Requests turns, and records the order in which they begin. */
function entering(max_bytes: number) {
  const turns = readyTurns(max_bytes);
  const began: string[] = [];
  const enter = (
    name: string,
    account: string,
    bytes: number,
    signal = new AbortController().signal,
  ): Promise<() => void> =>
    turns.enter(account, bytes, signal).then((end) => {
      began.push(name);
      return end;
    });
  return { turns, began, enter };
}

it('of several accounts begin in order, one per account at a time, within the budget', async () => {
  const { turns, began, enter } = entering(3 * MiB);
  const first = await enter('a1', 'a', MiB);
  const second = enter('a2', 'a', MiB);
  const other = await enter('b1', 'b', MiB);
  const whole = enter('c1', 'c', 3 * MiB);
  const last = enter('d1', 'd', MiB);
  expect([began, turns.bytes()]).toEqual([['a1', 'b1'], 2 * MiB]);
  first();
  first();
  (await second)();
  expect(began).toEqual(['a1', 'b1', 'a2']);
  other();
  await expect.poll(() => began).toEqual(['a1', 'b1', 'a2', 'c1']);
  expect(turns.bytes()).toBe(3 * MiB);
  (await whole)();
  (await last)();
  expect([began.at(-1), turns.bytes()]).toEqual(['d1', 0]);
});

it('wait in a queue that one account cannot fill', async () => {
  const { began, enter } = entering(MiB);
  const end = await enter('a', 'a', MiB);
  const gone = new AbortController();
  const hog = Array.from({ length: 20 }, () =>
    enter('a', 'a', MiB, gone.signal).catch((error) => error.reason),
  );
  const other = enter('b', 'b', MiB);
  await enter('small', 'c', 1_000);
  gone.abort();
  const outcomes = await Promise.all(hog);
  expect(outcomes.filter((outcome) => outcome === 'BUSY')).toHaveLength(12);
  end();
  (await other)();
  expect(began).toEqual(['a', 'small', 'b']);
});

it('wait in a queue that several accounts cannot fill either, and leave it when their client disconnects', async () => {
  const { turns, began, enter } = entering(MiB);
  const end = await enter('a', 'a', MiB);
  const gone = new AbortController();
  const hogs = ['p', 'q', 'r', 's', 't', 'u', 'v', 'w'].flatMap((account) =>
    Array.from({ length: 8 }, () => enter(account, account, MiB, gone.signal).catch((error) => error.reason)),
  );
  const b = enter('b', 'b', MiB);
  gone.abort();
  end();
  (await b)();
  expect(began).toEqual(['a', 'b']);
  expect(new Set(await Promise.all(hogs))).toEqual(new Set(['BUSY', 'CANCELLED']));
  expect(turns.bytes()).toBe(0);
});
