import { expect, test } from 'vitest';
import { type FairLine, fairLine } from '../../src/queues/fair-queue.ts';

interface Item {
  readonly name: string;
  readonly from: readonly string[];
}

const item = (name: string, ...from: string[]): Item => ({ name, from });

function drained(line: FairLine<Item>): string[] {
  const names: string[] = [];
  for (let next = line.next(); next !== undefined; next = line.next()) names.push(next.name);
  return names;
}

test('groups take turns on every level, and the items of one keep their order', () => {
  const line = fairLine<Item>({ places: 20 });
  for (const name of ['a1', 'a2', 'a3']) line.add(item(name, 'wide', 'a'));
  for (const name of ['b1', 'b2']) line.add(item(name, 'wide', 'b'));
  for (const name of ['c1', 'c2']) line.add(item(name, 'elsewhere', 'c'));
  expect(line.size()).toBe(7);
  expect(drained(line)).toEqual(['a1', 'c1', 'b1', 'c2', 'a2', 'b2', 'a3']);
  expect(line.size()).toBe(0);
});

test('a new group waits for the turns of the others', () => {
  const line = fairLine<Item>({ places: 20 });
  line.add(item('a1', 'a'));
  line.add(item('b1', 'b'));
  line.add(item('a2', 'a'));
  expect(line.next()?.name).toBe('a1');
  expect(line.next()?.name).toBe('b1');
  line.add(item('b2', 'b'));
  expect(drained(line)).toEqual(['a2', 'b2']);
});

test('in a full queue the largest group loses its newest item to a smaller group', () => {
  const line = fairLine<Item>({ places: 4 });
  for (const name of ['a1', 'a2', 'a3', 'a4']) line.add(item(name, 'wide', 'a'));
  const own = item('a5', 'wide', 'a');
  expect(line.add(own)).toBe(own);
  expect(line.add(item('c1', 'elsewhere', 'c'))?.name).toBe('a4');
  expect(line.add(item('b1', 'wide', 'b'))?.name).toBe('a3');
  expect(line.size()).toBe(4);
  expect(line.add(item('c2', 'elsewhere', 'c'))?.name).toBe('a2');
  const equal = item('c3', 'elsewhere', 'c');
  expect(line.add(equal)).toBe(equal); // its group is as large as the other
  expect(drained(line)).toEqual(['a1', 'c1', 'b1', 'c2']);
});

test('a group has a limit of its own, and shares it among its own groups', () => {
  const line = fairLine<Item>({ places: 20, places_of_part: 3 });
  for (const name of ['a1', 'a2', 'a3']) line.add(item(name, 'wide', 'a'));
  const own = item('a4', 'wide', 'a');
  expect(line.add(own)).toBe(own);
  expect(line.add(item('b1', 'wide', 'b'))?.name).toBe('a3');
  expect(line.add(item('c1', 'elsewhere', 'c'))).toBeUndefined();
  expect(line.size()).toBe(4);
});

test('a removed item frees its slot, once', () => {
  const line = fairLine<Item>({ places: 2 });
  const first = item('a1', 'wide', 'a');
  line.add(first);
  line.add(item('a2', 'wide', 'a'));
  expect([line.remove(first), line.remove(first)]).toEqual([true, false]);
  expect(line.add(item('a3', 'wide', 'a'))).toBeUndefined();
  expect(drained(line)).toEqual(['a2', 'a3']);
});
