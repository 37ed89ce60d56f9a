import { expect, test } from 'vitest';
import { FairQueue } from '../../src/queues/fair-queue.ts';

interface Item {
  readonly name: string;
  readonly from: readonly string[];
}

const item = (name: string, ...from: string[]): Item => ({ name, from });

function drained(queue: FairQueue<Item>): string[] {
  const names: string[] = [];
  for (let next = queue.next(); next !== undefined; next = queue.next()) names.push(next.name);
  return names;
}

test('groups take turns on every level, and the items of one keep their order', () => {
  const queue = new FairQueue<Item>({ max_items: 20 });
  for (const name of ['a1', 'a2', 'a3']) queue.add(item(name, 'wide', 'a'));
  for (const name of ['b1', 'b2']) queue.add(item(name, 'wide', 'b'));
  for (const name of ['c1', 'c2']) queue.add(item(name, 'elsewhere', 'c'));
  expect(queue.size).toBe(7);
  expect(drained(queue)).toEqual(['a1', 'c1', 'b1', 'c2', 'a2', 'b2', 'a3']);
  expect(queue.size).toBe(0);
});

test('a new group waits for the turns of the others', () => {
  const queue = new FairQueue<Item>({ max_items: 20 });
  queue.add(item('a1', 'a'));
  queue.add(item('b1', 'b'));
  queue.add(item('a2', 'a'));
  expect(queue.next()?.name).toBe('a1');
  expect(queue.next()?.name).toBe('b1');
  queue.add(item('b2', 'b'));
  expect(drained(queue)).toEqual(['a2', 'b2']);
});

test('in a full queue the largest group loses its newest item to a smaller group', () => {
  const queue = new FairQueue<Item>({ max_items: 4 });
  for (const name of ['a1', 'a2', 'a3', 'a4']) queue.add(item(name, 'wide', 'a'));
  const own = item('a5', 'wide', 'a');
  expect(queue.add(own)).toBe(own);
  expect(queue.add(item('c1', 'elsewhere', 'c'))?.name).toBe('a4');
  expect(queue.add(item('b1', 'wide', 'b'))?.name).toBe('a3');
  expect(queue.size).toBe(4);
  expect(queue.add(item('c2', 'elsewhere', 'c'))?.name).toBe('a2');
  const equal = item('c3', 'elsewhere', 'c');
  expect(queue.add(equal)).toBe(equal); // its group is as large as the other
  expect(drained(queue)).toEqual(['a1', 'c1', 'b1', 'c2']);
});

test('a group has a limit of its own, and shares it among its own groups', () => {
  const queue = new FairQueue<Item>({ max_items: 20, max_items_per_group: 3 });
  for (const name of ['a1', 'a2', 'a3']) queue.add(item(name, 'wide', 'a'));
  const own = item('a4', 'wide', 'a');
  expect(queue.add(own)).toBe(own);
  expect(queue.add(item('b1', 'wide', 'b'))?.name).toBe('a3');
  expect(queue.add(item('c1', 'elsewhere', 'c'))).toBeUndefined();
  expect(queue.size).toBe(4);
});

test('a removed item frees its slot, once', () => {
  const queue = new FairQueue<Item>({ max_items: 2 });
  const first = item('a1', 'wide', 'a');
  queue.add(first);
  queue.add(item('a2', 'wide', 'a'));
  expect([queue.remove(first), queue.remove(first)]).toEqual([true, false]);
  expect(queue.add(item('a3', 'wide', 'a'))).toBeUndefined();
  expect(drained(queue)).toEqual(['a2', 'a3']);
});
