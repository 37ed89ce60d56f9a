import { describe, expect, it } from 'vitest';
import { Fault } from '../../src/fault.ts';
import { FairBudget, type FairBudgetOptions } from '../../src/queues/fair-budget.ts';

const OPTIONS: FairBudgetOptions = {
  max_bytes: 100,
  max_bytes_per_key: 50,
  at_once: 4,
  at_once_per_key: 2,
  max_waiting: 8,
  max_waiting_per_key: 4,
  wait_ms: 60_000,
};

/** Work on a budget; `begun` records the order of turns. */
function works(options: Partial<FairBudgetOptions> = {}) {
  const budget = new FairBudget({ ...OPTIONS, ...options });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    budget,
    begun,
    /** Its name is its key and a number. */
    ask: (name: string, bytes: number, signal = new AbortController().signal) =>
      budget.take(name.charAt(0), bytes, signal).then(
        (end) => {
          begun.push(name);
          ends.set(name, end);
          return name;
        },
        (error: unknown) => (error instanceof Fault ? error.reason : String(error)),
      ),
    end: (name: string) => ends.get(name)?.(),
  };
}

describe('a fair budget', () => {
  it('keeps nothing for work whose caller left before, or just as room came', async () => {
    const { ask, begun, end, budget } = works({ at_once: 1 });
    await ask('a1', 10);
    const gone = new AbortController();
    const waiting = ask('b1', 10, gone.signal);
    expect(await ask('c1', 10, AbortSignal.abort())).toBe('CANCELLED');
    gone.abort();
    end('a1'); // in the same turn of the event loop
    expect(await waiting).toBe('CANCELLED');
    expect([begun, budget.taken]).toEqual([['a1'], { bytes: 0, count: 0, waiting: 0 }]);
  });

  it('lets keys take turns, however much one requests', async () => {
    const { ask, begun, end, budget } = works({ at_once: 2 });
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void ask(name, 10);
    for (const name of ['b1', 'b2', 'c1']) void ask(name, 10);
    await expect.poll(() => begun).toEqual(['a1', 'a2']);
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2', 'a5']) {
      await expect.poll(() => begun).toContain(name);
      end(name);
      end(name); // changes nothing
    }
    expect(begun.slice(2).sort()).toEqual(['a3', 'a4', 'a5', 'b1', 'b2', 'c1']);
    expect(begun.indexOf('b1'), 'after at most one of the first key').toBeLessThanOrEqual(3);
    expect(begun.indexOf('c1')).toBeLessThanOrEqual(4);
    expect(budget.taken).toEqual({ bytes: 0, count: 0, waiting: 0 });
  });

  it('is exceeded neither by one key nor by all, except by work that runs alone', async () => {
    const { ask, begun, end, budget } = works();
    for (const name of ['a1', 'a2', 'b1', 'c1']) void ask(name, 40);
    await expect.poll(() => begun).toEqual(['a1', 'b1']);
    end('a1');
    await expect.poll(() => begun).toEqual(['a1', 'b1', 'a2']);
    end('b1');
    await expect.poll(() => begun).toEqual(['a1', 'b1', 'a2', 'c1']);
    void ask('d1', 1_000);
    void ask('e1', 1);
    end('a2');
    expect(begun, 'small work does not overtake forever').not.toContain('e1');
    end('c1');
    await expect.poll(() => begun.at(-1)).toBe('d1');
    expect(budget.taken).toEqual({ bytes: 1_000, count: 1, waiting: 1 });
    end('d1');
    await expect.poll(() => begun.at(-1)).toBe('e1');
  });

  it('refuses work that waits too long, or that exceeds the queue of its key or of all', async () => {
    const { ask, begun, end } = works({ at_once: 1, max_waiting: 3, max_waiting_per_key: 2 });
    expect(await ask('a0', 1)).toBe('a0');
    const waiting = [ask('a1', 1), ask('a2', 1)];
    expect(await ask('a3', 1)).toBe('SERVICE_UNAVAILABLE');
    waiting.push(ask('b1', 1));
    expect(await ask('b2', 1)).toBe('SERVICE_UNAVAILABLE');
    for (const name of ['a0', 'a1', 'b1', 'a2']) {
      await expect.poll(() => begun).toContain(name);
      end(name);
    }
    expect(await Promise.all(waiting)).toEqual(['a1', 'a2', 'b1']);
    const late = works({ at_once: 1, wait_ms: 1 });
    await late.ask('a1', 1);
    expect(await late.ask('b1', 1)).toBe('SERVICE_UNAVAILABLE');
    expect(late.budget.taken).toEqual({ bytes: 1, count: 1, waiting: 0 });
  });

  it('moves a slot from the key with most waiting work to one with less', async () => {
    const { ask, begun, end, budget } = works({ at_once: 1, max_waiting: 4 });
    await ask('a0', 1);
    const [a1, a2, a3] = ['a1', 'a2', 'a3'].map((name) => ask(name, 1));
    void ask('b1', 1);
    const c1 = ask('c1', 1);
    expect(await a3).toBe('SERVICE_UNAVAILABLE');
    expect(await ask('a4', 1)).toBe('SERVICE_UNAVAILABLE');
    const d1 = ask('d1', 1);
    expect(await a2).toBe('SERVICE_UNAVAILABLE');
    expect(await ask('e1', 1), 'all have one').toBe('SERVICE_UNAVAILABLE');
    expect(budget.taken.waiting).toBe(4);
    for (const name of ['a0', 'a1', 'b1', 'c1', 'd1']) {
      await expect.poll(() => begun).toContain(name);
      end(name);
    }
    expect(await Promise.all([a1, c1, d1])).toEqual(['a1', 'c1', 'd1']);
    expect(budget.taken).toEqual({ bytes: 0, count: 0, waiting: 0 });
  });

  it('makes room for others when waiting work is cancelled', async () => {
    const { ask, begun, budget } = works();
    await ask('a1', 60);
    const gone = new AbortController();
    const large = ask('b1', 90, gone.signal);
    void ask('c1', 10);
    expect(budget.taken.waiting).toBe(2);
    gone.abort();
    expect(await large).toBe('CANCELLED');
    await expect.poll(() => begun).toEqual(['a1', 'c1']);
    expect(await ask('d1', 90, gone.signal), 'gone before').toBe('CANCELLED');
    expect(budget.taken).toEqual({ bytes: 70, count: 2, waiting: 0 });
  });
});
