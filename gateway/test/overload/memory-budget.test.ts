import { silentLogger } from '@gatehouse/kit/log';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Holder, MemoryBudget } from '../../src/overload/memory-budget.ts';
import { Refusals } from '../../src/overload/refusals.ts';

interface Body extends Holder {
  arrived: number;
  evicted: boolean;
}

function body(address: string): Body {
  const one: Body = {
    address,
    arrived: 0,
    evicted: false,
    arrivedBytes: () => one.arrived,
    isComplete: () => false,
    evict: () => {
      one.evicted = true;
    },
  };
  return one;
}

const refused = () => new Refusals(silentLogger);
const newBudget = () => new MemoryBudget({ max_bytes: 100, refusals: refused(), reason: 'long_bodies' });

describe('a memory budget', () => {
  it('is reserved to the byte, by one address up to half of it', () => {
    const budget = newBudget();
    const [one, two, three] = [body('a'), body('a'), body('b')];
    expect(budget.reserve(one, 40)).toBe(true);
    expect(budget.reserve(two, 11)).toBe(false);
    expect(budget.reserve(two, 10)).toBe(true);
    expect(budget.reserve(three, 51)).toBe(false);
    expect(budget.reserve(three, 50)).toBe(true);
    expect(budget.reservedBytes()).toBe(100);
  });

  it('is freed by a holder completely, and once', () => {
    const budget = newBudget();
    const one = body('a');
    for (let count = 0; count < 5; count++) expect(budget.reserve(one, 10)).toBe(true);
    budget.release(one);
    budget.release(one);
    budget.release(body('a'));
    expect(budget.reservedBytes()).toBe(0);
    expect(budget.reserve(body('a'), 50)).toBe(true);
  });

  it('goes to waiting bodies in order, but not to an address that holds its half', async () => {
    const budget = newBudget();
    const [first, second] = [body('a'), body('b')];
    budget.reserve(first, 50);
    budget.reserve(second, 40);
    const admitted: string[] = [];
    const wait = async (name: string, address: string, bytes: number) => {
      await budget.reserveWhenFree(body(address), bytes);
      admitted.push(name);
    };
    const waits = [wait('of a', 'a', 10), wait('large', 'c', 30), wait('small', 'd', 20)];
    expect(budget.waiting()).toBe(3);
    budget.release(second);
    await Promise.all(waits.slice(1));
    expect(admitted).toEqual(['large', 'small']);
    budget.release(first);
    await Promise.all(waits);
    expect(budget.waiting()).toBe(0);
  });
});

describe('a slow body', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const waitFor = (promise: Promise<void>) => void promise.catch(() => undefined);

  it('keeps its memory while no other waits', () => {
    const budget = newBudget();
    const slow = body('a');
    budget.reserve(slow, 50);
    vi.advanceTimersByTime(30_000);
    expect(slow.evicted).toBe(false);
  });

  it('is evicted for a waiting one of another address; a fast one is not', () => {
    const budget = newBudget();
    const [slow, quick] = [body('a'), body('b')];
    budget.reserve(slow, 50);
    budget.reserve(quick, 50);
    waitFor(budget.reserveWhenFree(body('c'), 10));
    for (let count = 0; count < 8; count++) {
      quick.arrived += 1024 * 1024;
      vi.advanceTimersByTime(250);
    }
    expect([slow.evicted, quick.evicted]).toEqual([true, false]);
  });

  it('is not evicted because the event loop was blocked: the edge read nothing then', () => {
    const budget = newBudget();
    const one = body('a');
    budget.reserve(one, 50);
    waitFor(budget.reserveWhenFree(body('a'), 10));
    const unblocked_ms = performance.now() + 5_000;
    const clock = vi.spyOn(performance, 'now').mockReturnValue(unblocked_ms);
    vi.advanceTimersByTime(250);
    clock.mockRestore();
    expect(one.evicted).toBe(false);
    vi.advanceTimersByTime(1_000);
    expect(one.evicted).toBe(true);
  });

  it('is not evicted for an address that holds its half already', () => {
    const budget = newBudget();
    const [slow, greedy] = [body('a'), body('b')];
    budget.reserve(slow, 50);
    budget.reserve(greedy, 50);
    waitFor(budget.reserveWhenFree(body('b'), 10));
    vi.advanceTimersByTime(3_000);
    expect([slow.evicted, greedy.evicted]).toEqual([false, true]);
  });

  it('is refused after it has waited for ten seconds', async () => {
    const budget = newBudget();
    const quick = body('a');
    budget.reserve(quick, 50);
    const waiting = expect(budget.reserveWhenFree(body('a'), 10)).rejects.toMatchObject({
      reason: 'SERVICE_UNAVAILABLE',
    });
    for (let count = 0; count < 44; count++) {
      quick.arrived += 1024 * 1024;
      vi.advanceTimersByTime(250);
    }
    await waiting;
    expect([quick.evicted, budget.waiting()]).toEqual([false, 0]);
  });
});
