import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault, Status, unavailable } from '../../src/fault.ts';
import { batcher } from '../../src/queues/batch.ts';

interface Batch {
  readonly items: readonly number[];
  answer(answers?: readonly (number | Error)[]): void;
  fail(reason: unknown): void;
}

/** A batcher whose batches the test answers; by default with the double of each item. */
function controlled(options: { maxBatch?: number; maxInFlight?: number; maxQueue?: number } = {}) {
  const out: Batch[] = [];
  const ask = batcher<number, number>({
    ...options,
    run: (items) =>
      new Promise((resolve, reject) => {
        out.push({
          items,
          answer: (answers = items.map((item) => item * 2)) => resolve(answers),
          fail: reject,
        });
      }),
  });
  return { ask, out };
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);
const reasonOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (reason) => reason,
  );

describe('a batcher', () => {
  it('sends a lone item at once, by itself', async () => {
    const { ask, out } = controlled();
    const answer = ask(21);
    await tick();
    expect(out.map(({ items }) => items)).toEqual([[21]]);
    out[0]?.answer();
    expect(await answer).toBe(42);
  });

  it('sends the items of a tick together, in order', async () => {
    const { ask, out } = controlled();
    const answers = Promise.all(range(0, 10).map(ask));
    await tick();
    expect(out.map(({ items }) => items)).toEqual([range(0, 10)]);
    out[0]?.answer();
    expect(await answers).toEqual(range(0, 10).map((item) => item * 2));
  });

  it('has at most two batches in flight; items that gather meanwhile leave when one returns, at most 64', async () => {
    const { ask, out } = controlled();
    const answers = [0, 1].map(ask);
    await tick();
    answers.push(ask(2));
    await tick();
    expect(out.map(({ items }) => items)).toEqual([[0, 1], [2]]);
    for (const item of range(3, 103)) answers.push(ask(item));
    await tick();
    expect(out).toHaveLength(2);
    out[1]?.answer();
    await tick();
    expect(out).toHaveLength(3);
    expect(out[2]?.items).toEqual(range(3, 67));
    out[0]?.answer();
    await tick();
    expect(out[3]?.items).toEqual(range(67, 103));
    for (const batch of out) batch.answer();
    expect(await Promise.all(answers)).toEqual(range(0, 103).map((item) => item * 2));
  });

  it('fails one item alone if its answer is an Error', async () => {
    const { ask, out } = controlled();
    const error = new Error('that one');
    const settled = Promise.allSettled([1, 2, 3].map(ask));
    await tick();
    out[0]?.answer([0, error, undefined as never]);
    expect(await settled).toEqual([
      { status: 'fulfilled', value: 0 },
      { status: 'rejected', reason: error },
      { status: 'fulfilled', value: undefined },
    ]);
  });

  it('fails every item of a failed batch, each with an error of its own, and continues', async () => {
    const { ask, out } = controlled({ maxInFlight: 1 });
    const reasons = Promise.all([1, 2].map((item) => reasonOf(ask(item))));
    await tick();
    const cause = new Error('the database is gone');
    out[0]?.fail(cause);
    const [one, two] = await reasons;
    expect([one, two]).toMatchObject([{ cause }, { cause }]);
    expect(one).not.toBe(two);
    const next = ask(3);
    await tick();
    out[1]?.answer();
    expect(await next).toBe(6);
  });

  it('passes a fault on unchanged, and wraps other thrown values', async () => {
    const { ask, out } = controlled();
    const fault = unavailable();
    for (const [index, thrown] of [fault, 'text', undefined].entries()) {
      const reason = reasonOf(ask(1));
      await tick();
      out[index]?.fail(thrown);
      if (thrown === fault) expect(await reason).toBe(fault);
      else expect(await reason).toMatchObject({ message: 'the batch failed' });
    }
  });

  it('fails a batch whose work throws synchronously, or returns too few answers', async () => {
    const throws = batcher<number, number>({
      run: () => {
        throw new Error('at once');
      },
    });
    expect(await reasonOf(throws(1))).toMatchObject({ cause: { message: 'at once' } });
    const fewer = batcher<number, number>({ run: async (items) => items.slice(1) });
    for (const reason of await Promise.all([1, 2].map((item) => reasonOf(fewer(item))))) {
      expect(reason).toMatchObject({ cause: { message: 'a batch must answer every item' } });
    }
  });

  it('refuses items beyond its queue at once, and accepts items again when there is room', async () => {
    const { ask, out } = controlled({ maxInFlight: 1, maxQueue: 3, maxBatch: 2 });
    const first = ask(0);
    await tick();
    const waiting = [1, 2, 3].map(ask);
    const refused = await reasonOf(ask(4));
    expect(refused).toBeInstanceOf(Fault);
    expect(refused).toMatchObject({ status: Status.UNAVAILABLE, reason: 'SERVICE_UNAVAILABLE' });
    out[0]?.answer();
    await tick();
    const late = ask(5);
    for (let index = 1; index < 4; index++) {
      out[index]?.answer();
      await tick();
    }
    expect(await Promise.all([first, ...waiting, late])).toEqual([0, 2, 4, 6, 10]);
    expect(out.map(({ items }) => items)).toEqual([[0], [1, 2], [3, 5]]);
  });

  it('answers each item once with its own answer, however batches are cut, delayed and failed', async () => {
    const settings = fc.record({
      items: fc.array(fc.record({ ticks: fc.nat(3), bad: fc.boolean() }), { maxLength: 200 }),
      delays: fc.array(fc.nat(4), { minLength: 1 }),
      maxBatch: fc.integer({ min: 1, max: 20 }),
      maxInFlight: fc.integer({ min: 1, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(settings, async ({ items, delays, maxBatch, maxInFlight }) => {
        let inFlight = 0;
        let batches = 0;
        const ask = batcher<{ index: number; bad: boolean }, number>({
          maxBatch,
          maxInFlight,
          run: async (batch) => {
            inFlight++;
            expect(inFlight).toBeLessThanOrEqual(maxInFlight);
            expect(batch.length).toBeLessThanOrEqual(maxBatch);
            const delay = delays[batches++ % delays.length] ?? 0;
            for (let waited = 0; waited < delay; waited++) await tick();
            inFlight--;
            return batch.map(({ index, bad }) => (bad ? new Error(String(index)) : index));
          },
        });
        const asked: Promise<unknown>[] = [];
        for (const [index, { ticks, bad }] of items.entries()) {
          asked.push(ask({ index, bad }).catch(({ message }: Error) => `bad ${message}`));
          for (let waited = 0; waited < ticks; waited++) await tick();
        }
        expect(await Promise.all(asked)).toEqual(
          items.map(({ bad }, index) => (bad ? `bad ${index}` : index)),
        );
      }),
      { numRuns: 50 },
    );
  });
});
