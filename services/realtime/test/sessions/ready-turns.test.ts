import { Status } from '@gatehouse/kit/fault';
import { expect, it } from 'vitest';
import { readyTurns } from '../../src/sessions/ready-turns.ts';

const MiB = 1024 * 1024;

/** Enters, and notes the order in which turns begin. */
function entering(max_bytes: number) {
  const turns = readyTurns(max_bytes);
  const began: string[] = [];
  const enter = (name: string, account: string, bytes: number): Promise<() => void> =>
    turns.enter(account, bytes).then((end) => {
      began.push(name);
      return end;
    });
  return { turns, began, enter };
}

it('of several accounts begin in order, one of each at a time, within the bound', async () => {
  const { turns, began, enter } = entering(3 * MiB);
  const first = await enter('a1', 'a', MiB);
  const second = enter('a2', 'a', MiB);
  const other = await enter('b1', 'b', MiB);
  void enter('c1', 'c', 3 * MiB);
  void enter('d1', 'd', MiB);
  expect([began, turns.bytes()]).toEqual([['a1', 'b1'], 2 * MiB]);
  first();
  first();
  (await second)();
  expect(began).toEqual(['a1', 'b1', 'a2']);
  other();
  await expect.poll(() => began).toEqual(['a1', 'b1', 'a2', 'c1']);
  expect(turns.bytes()).toBe(3 * MiB);
});

it('wait in a line that one account cannot fill', async () => {
  const { enter } = entering(MiB);
  await enter('a', 'a', MiB);
  const hog = Array.from({ length: 20 }, () => enter('a', 'a', MiB).catch((error) => error.status));
  expect(await Promise.race([hog.at(-1), hog[0]])).toBe(Status.RESOURCE_EXHAUSTED);
  void enter('b', 'b', MiB).catch(() => expect.unreachable());
  await enter('small', 'c', 1_000);
});
