import { getHeapSpaceStatistics } from 'node:v8';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OpenCalls } from '../../src/rpc/stream/open-calls.ts';

const id = fc.oneof(
  fc.nat(40), // often the same
  fc.nat(2 ** 32 - 1),
  fc.nat(500).map((n) => n * 65_536), // alike in the lower half
);
const step = fc.tuple(
  fc.constantFrom('set', 'take', 'take', 'get') as fc.Arbitrary<'set' | 'take' | 'get'>,
  id,
);

it('open calls are found by their IDs as others come and go', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400, size: 'max' }), (steps) => {
      const calls = new OpenCalls<{ at: number }>();
      const model = new Map<number, { at: number }>();
      for (const [index, [what, id]] of steps.entries()) {
        const expected = model.get(id);
        if (what === 'set') {
          calls.set(id, { at: index });
          model.set(id, { at: index });
        } else if (what === 'get') expect(calls.get(id)).toEqual(expected);
        else {
          expect(calls.take(id)).toEqual(expected);
          model.delete(id);
        }
        expect(calls.size).toBe(model.size);
      }
      for (const [id, call] of model) expect(calls.get(id)).toEqual(call);
      const order = ([a]: [number, unknown], [b]: [number, unknown]) => a - b;
      expect(calls.all().toSorted(order)).toEqual([...model].toSorted(order));
    }),
    { numRuns: 500 },
  );
});

it('thousands of open calls are found, in order and out of it', () => {
  const calls = new OpenCalls<{ id: number }>();
  const ids = Array.from({ length: 4096 }, (_, index) => index * 65_536 + 7);
  for (const id of ids) calls.set(id, { id });
  expect(calls.size).toBe(4096);
  for (const id of ids.toReversed()) expect(calls.take(id)).toEqual({ id });
  expect([calls.size, calls.all()]).toEqual([0, []]);
});

it('calls that have ended are not retained by old tables', () => {
  const calls = new OpenCalls<{ readonly payload: unknown }>();
  const oldSpace = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space');
  const oldBytes = () => oldSpace()?.space_used_size ?? Number.NaN;
  for (let id = 0; id < 10; id++) calls.set(id, { payload: id });
  for (let round = 0; round < 300_000; round++) Array.from({ length: 40 }, () => round); // so that the table is old
  const before = oldBytes();
  let most = before;
  for (let id = 10; id < 300_000; id++) {
    calls.set(id, { payload: Array.from({ length: 50 }, () => id) });
    if (id >= 64) calls.take(id - 64);
    if (id % 2_000 === 0) most = Math.max(most, oldBytes());
  }
  expect(most - before).toBeLessThan(15 * 1024 * 1024); // a Map grew to 90 MB
});
